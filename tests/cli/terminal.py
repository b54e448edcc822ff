#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command on a terminal of that many columns, and prints what it wrote there.

terminal.py COLUMNS COMMAND ARGUMENT...
"""
import fcntl
import os
import pty
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
text = b""
while True:
    try:
        part = os.read(terminal, 65536)
    except OSError:  # the other side is closed
        break
    if not part:
        break
    text += part
sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
