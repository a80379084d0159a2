# SPDX-License-Identifier: MIT
"""Turn `llvm-tblgen --dump-json` of several Passes.td into one C string literal of JSON.

usage: pass_table.py OUT GROUP=FILE.json ...   (GROUP may carry several files)
"""

import json
import sys


def passes_of(group: str, path: str) -> list[dict]:
    with open(path, encoding="utf-8") as file:
        records = json.load(file)
    table = []
    for name in records["!instanceof"].get("PassBase", []):
        record = records[name]
        options = [records[o["def"]] for o in record["options"]]
        options += [records[o["def"]] for o in record.get("listOptions", [])]
        table.append(
            {
                "argument": record["argument"],
                "summary": record["summary"],
                "group": group,
                "options": [
                    {
                        "name": o["argument"],
                        "type": o["type"],
                        "default": o.get("defaultValue") or "",
                        "description": o["description"],
                    }
                    for o in options
                ],
            }
        )
    return table


def main(out: str, *inputs: str) -> None:
    table: list[dict] = []
    for item in inputs:
        group, _, path = item.partition("=")
        table += passes_of(group, path)
    table.sort(key=lambda p: (p["group"], p["argument"]))
    text = json.dumps(table)
    # Compilers limit the length of one literal, not of adjacent ones.
    parts = [text[i : i + 2000] for i in range(0, len(text), 2000)]
    with open(out, "w", encoding="utf-8") as file:
        file.writelines(f'R"json({part})json"\n' for part in parts)


if __name__ == "__main__":
    main(*sys.argv[1:])
