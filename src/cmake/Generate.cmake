# SPDX-License-Identifier: MIT
# Writes the documents that the program makes from its tables.
execute_process(COMMAND ${PROGRAM} --generate man-pages OUTPUT_VARIABLE pages
                COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${pages}" pages)
string(REPLACE "\n" ";" pages "${pages}")
list(TRANSFORM pages REPLACE "^(.+)$" "\\1=man/\\1")
foreach(pair ${pages} theorems=theorems.md bash=completions/dpacct.bash
        zsh=completions/dpacct.zsh fish=completions/dpacct.fish
        schema=schema/dpacct-1.schema.json ledger-schema=schema/ledger-1.schema.json)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 kind)
  list(GET pair 1 file)
  execute_process(COMMAND ${PROGRAM} --generate ${kind} OUTPUT_FILE ${DOCS}/${file}
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
