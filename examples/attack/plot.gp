# SPDX-License-Identifier: MIT
# The theoretical limit of a membership attack as it was plotted, and as it is:
#   sh evaluating.sh plot > limits.dat; gnuplot -e "data='limits.dat'; picture='limits.svg'" plot.gp
set terminal svg size 720,480
set output picture
set logscale x
set xlabel "epsilon"
set ylabel "advantage of an attacker"
set yrange [0:1]
set key left top
plot data using 1:2 with lines title "e^{epsilon} - 1", \
     data using 1:3 with lines title "1 - e^{-epsilon}", \
     data using 1:4 with linespoints title "tanh(epsilon/2), exact"
