# SPDX-License-Identifier: MIT
# gnuplot -e "data='costs.dat'; picture='costs.svg'" cost.gp
set terminal svg size 720,420
set output picture
set logscale x
set format x "10^{%T}"
set xlabel "target delta"
set ylabel "epsilon"
set key outside right
plot data using 1:2 with linespoints title "optimal", \
     data using 1:3 with linespoints title "RDP", \
     data using 1:4 with linespoints title "zCDP", \
     data using 1:5 with linespoints title "KOV, log form", \
     data using 1:6 with linespoints title "KOV, Hoeffding form", \
     data using 1:7 with linespoints title "advanced", \
     data using 1:8 with linespoints title "basic"
