// Compiles the modules of an archive with the Python that will run them, so that no visitor has to.
// node compile.mjs PYODIDE ARCHIVE DOCUMENTED KEEP …
// DOCUMENTED: folders, comma-separated, whose docstrings are shown to people; KEEP: whose sources stay
// beside, because they are read as text
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [pyodide, path, documented, ...keep] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide();
python.FS.writeFile("/old.zip", readFileSync(path));
python.globals.set("keep", python.toPy(keep));
python.globals.set("documented", python.toPy(documented.split(",")));
try {
  python.runPython(`
import ast, importlib.util, marshal, warnings, zipfile
warnings.simplefilter("ignore")
FIRST = (1980, 1, 1, 0, 0, 0)
UNCHECKED = (1).to_bytes(4, "little")  # by hash: nobody looks at the date of a source

def without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                node.body[0] = ast.copy_location(ast.Pass(), first)
    return tree

with zipfile.ZipFile("/old.zip") as old, zipfile.ZipFile("/new.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
    def put(name, data):
        new.writestr(zipfile.ZipInfo(name, FIRST), data, zipfile.ZIP_DEFLATED)
    for name in sorted(set(old.namelist())):
        data = old.read(name)
        stays = name.startswith(tuple(keep) or ("?",))
        if not name.endswith(".py") or stays:
            put(name, data)
        if not name.endswith(".py"):
            continue
        try:
            tree = ast.parse(data, name)
            tree = tree if name.startswith(tuple(documented)) else without_docstrings(tree)
            code = compile(tree, name, "exec", dont_inherit=True, optimize=0)
        except SyntaxError:  # a template, or an example of what is wrong
            stays or put(name, data)
            continue
        pyc = importlib.util.MAGIC_NUMBER + UNCHECKED + importlib.util.source_hash(data) + marshal.dumps(code)
        put(importlib.util.cache_from_source(name) if stays else name + "c", pyc)
`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
writeFileSync(path, python.FS.readFile("/new.zip"));
