# SPDX-License-Identifier: MIT
# gnuplot -e "data='gamma.csv'; picture='gamma.svg'" plot.gp
set terminal svg size 720,420
set output picture
set datafile separator ","
set xlabel "votes for 1"
set ylabel "gamma: probability of publishing the majority"
set yrange [0:1.05]
set key outside right
plot for [column=2:6] data using 1:column with linespoints title columnheader(column)
