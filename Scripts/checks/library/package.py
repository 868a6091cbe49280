"""For checks in Python: reads the manifests and the debug build of the repository, and calls functions of common.sh."""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / ".build/debug"
EXPORT = re.compile(r"@_exported public import \w+ (\w+)\.(\w+)")


def arguments():
    """The arguments of the script. The option --help prints the documentation of the script."""
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(sys.modules["__main__"].__doc__.strip())
        sys.exit()
    return sys.argv[1:]


# --- Manifests


def dump(folder):
    """The manifest of the package in a folder."""
    command = ["swift", "package", "--package-path", str(folder), "dump-package"]
    # Without this variable, the manifest contains the address of the vendor's SDK, as it does in apps.
    environment = {name: value for name, value in os.environ.items() if name != "PING_IOS_SDK"}
    found = subprocess.run(command, capture_output=True, text=True, env=environment)
    if found.returncode != 0:
        sys.exit(f"The manifest in {folder} cannot be read:\n{found.stderr}")
    return json.loads(found.stdout)


@functools.cache
def manifest(package="."):
    """The manifest of a package of this repository."""
    return dump(ROOT / package)


@functools.cache
def modules():
    """The modules of Sources."""
    return sorted(path.name for path in (ROOT / "Sources").iterdir() if path.is_dir())


@functools.cache
def products():
    """The products with a module of the same name in Sources."""
    return [product["name"] for product in manifest()["products"]
            if product["targets"] == [product["name"]] and product["name"] in modules()]


# --- The debug build


@functools.cache
def target():
    """The triple for which this toolchain builds, without the version."""
    info = subprocess.check_output(["swiftc", "-print-target-info"])
    return json.loads(info)["target"]["unversionedTriple"]


@functools.cache
def module_maps():
    """The options of the compiler for the modules in C of the debug build."""
    maps = [*BUILD.glob("*.build/module.modulemap"), *ROOT.glob(".build/checkouts/*/Sources/*SQLite/module.modulemap")]
    return [flag for path in maps for flag in ("-Xcc", f"-fmodule-map-file={path}")]


def symbol_graphs(folder):
    """The graphs of the public symbols, by module. Each graph consists of a file name and a content."""
    graphs = {}
    for module in modules():
        if not (BUILD / f"Modules/{module}.swiftmodule").exists():
            sys.exit(f"{module} is not built; run swift build first")
        command = ["swift", "symbolgraph-extract", "-module-name", module, "-I", BUILD / "Modules", "-target", target(),
                   "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder]
        subprocess.run(command + module_maps(), check=True)
        for path in sorted(pathlib.Path(folder).glob(f"{module}*.symbols.json")):
            if re.split("[@.]", path.name)[0] == module:
                graphs.setdefault(module, []).append((path.name, json.loads(path.read_text())))
    return graphs


def exports(product="*"):
    """The symbols of inner modules that a product (or any product) exports under its own name: pairs of module and name."""
    return {names for path in ROOT.glob(f"Sources/{product}/Exports.swift") for names in EXPORT.findall(path.read_text())}


# --- The shared parts of common.sh


def shell(command):
    """The last line that a command prints. The command can use the functions of common.sh. Its failure ends the script."""
    script = f'set -euo pipefail; . "{ROOT}/Scripts/checks/library/common.sh"; {command}'
    done = subprocess.run(["bash", "-c", script], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done.stdout.strip().split("\n")[-1]


def command_line(configuration, *companions):
    """The path of the command line. Builds the command line and its companion executables, unless PUSHBRIDGE names a path."""
    return shell(" ".join(["command_line", configuration, *companions]))


def use_environment():
    """Restarts the script in the Python that has the packages in requirements.txt. Call this before the packages are imported."""
    if pathlib.Path(sys.prefix) != ROOT / ".build/python":
        python = shell("checks_python")
        os.execv(python, [python, *sys.argv])
