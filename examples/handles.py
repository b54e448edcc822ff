#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An account that grows step by step, by handles of libdpacct through ctypes.

  handles.py                        finds libdpacct.so.1 as the loader does
  handles.py /opt/x/lib/libdpacct.so.1   or takes the one that is named
"""
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libdpacct.so.1")
H, T, STATUS = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int  # c_char_p for texts that go in only


class Error(ctypes.Structure):
    _fields_ = [("status", STATUS), ("argument", T), ("message", T)]


def call(name, result, types, *values):
    function = getattr(library, name)
    function.restype, function.argtypes = result, [*types, ctypes.POINTER(Error)]
    error = Error()
    got = function(*values, ctypes.byref(error))
    if got is None or (result is STATUS and got != 0):
        raise ValueError(b" ".join(x for x in (error.argument, error.message) if x).decode())
    return got


def mechanism(kind, **parameters):
    m = call("dp_mechanism_new", H, [T], kind.encode())
    for name, value in parameters.items():
        call("dp_mechanism_set", STATUS, [H, T, T], m, name.encode(), value.encode())
    return m


def main():
    library.dp_question_new.restype = library.dp_answer_text.restype = H
    library.dp_answer_text.argtypes, library.dp_text_free.argtypes = [H, T], [H]
    account, question = call("dp_account_new", H, [STATUS], 0), library.dp_question_new()
    call("dp_question_set", STATUS, [H, T, T], question, b"target-delta", b"1e-6")
    step = mechanism("gaussian", sigma="20")
    for epoch in range(3):
        call("dp_account_add", STATUS, [H, H, T], account, step, b"50")
        answer = H()
        call("dp_account_ask", STATUS, [H, H, H], ctypes.byref(answer), account, question)
        text = library.dp_answer_text(answer, b"epsilon")
        print("after epoch", epoch + 1, "epsilon", ctypes.string_at(text).decode())
        library.dp_text_free(text)
        library.dp_answer_free(answer)
    for free, handle in ("mechanism", step), ("question", question), ("account", account):
        getattr(library, "dp_" + free + "_free")(H(handle))
    try:
        mechanism("gaussian", sigma="1,5")
    except ValueError as error:
        print("refused:", error)


main()
