# SPDX-License-Identifier: MIT
# gnuplot -e "data='costs.dat'; picture='costs.svg'" cost.gp
# One curve for each column, named as in the first line of the data.
set terminal svg size 900,480
set output picture
set logscale x
set format x "10^{%T}"
set xlabel "target delta"
set ylabel "epsilon"
set yrange [0:*]
set key outside right noenhanced
columns = int(system("awk '$1 == \"delta\" { print NF }' ".data))
plot for [i = 2:columns] data using 1:i with linespoints title columnheader(i)
