// Runs a program with the edition's own Python and packages: node golden.mjs EDITION PROGRAM
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
const [edition, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${edition}/pyodide/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${edition}/pyodide` });
python.unpackArchive(new Uint8Array(gunzipSync(readFileSync(`${edition}/app.tar.gz`))), "tar", { extractDir: "/lib/python3.14/site-packages" });
python.runPython(readFileSync(program, "utf8"));
