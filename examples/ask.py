#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Any question of dpacct from Python, with nothing but the shared library.
ask.py [FILE]: the library libdpacct.so.1 as the loader finds it, or the one that is named."""
import ctypes
import json
import sys


class Dpacct:
    def __init__(self, path="libdpacct.so.1"):
        self.library = ctypes.CDLL(path)
        self.library.dp_ask.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_int)]
        self.library.dp_ask.restype = ctypes.c_void_p  # c_char_p would lose what is to be freed
        self.library.dp_text_free.argtypes = [ctypes.c_void_p]

    def ask(self, command, **fields):
        """The answer as a dict. Give numbers as text where they must be exact: "0.1", "ln(3)"."""
        text = self.library.dp_ask(json.dumps({"command": command, **fields}).encode(), None)
        if text is None:
            raise MemoryError("dp_ask")
        answer = json.loads(ctypes.string_at(text))
        self.library.dp_text_free(text)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer


dpacct = Dpacct(*sys.argv[1:2])
noise = [{"epsilon": "0.1", "delta": "1e-6", "times": 35}]
spent = dpacct.ask("compose", mechanisms=noise, target_delta="1e-4")["guarantee"]
print("composition: epsilon in [{}, {}]".format(*spent["epsilon_enclosure"]))
bagged = dpacct.ask("bagging-with", n=60000, k=300, base_epsilon="ln(3)", max_epsilon="0.05", max_delta="1e-9")
print("bagging:     epsilon", bagged["guarantee"]["epsilon"], "delta", bagged["guarantee"]["delta"],
      "within the budget:", bagged["check"]["holds"])
try:
    dpacct.ask("bagging-with", n=60000, k="1,5")
except ValueError as error:
    print("refused:    ", error)
