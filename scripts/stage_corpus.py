#!/usr/bin/env python3
"""Fetches the wheels of a list of packages and lays their Python files out as an interpreter would find them. Nothing is installed or run.

  stage_corpus.py LIST FOLDER [--cache FOLDER]

LIST has a line a package: name==version and its licence (SPDX). Wheels come by `pip download --no-deps`; those in the cache are not fetched
again, and packages that are in FOLDER already are left alone. FOLDER/packages.txt names what to give to `tritonrl prepare --rewrite`.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import zipfile

NO_MODULES = re.compile(r"(^|/)(tests?|testing|examples?|docs?|benchmarks?)/|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$")
# What metadata say, in lower case, and the licence that it means.
LICENCES = (("apache", "Apache-2.0"), ("bsd", "BSD-3-Clause"), ("mit", "MIT"))


def fail(message):
    sys.exit(f"stage_corpus.py: {message}")


def read_list(path):
    packages = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = re.fullmatch(r"([A-Za-z0-9._-]+)==(\S+) (\S+)", line.strip())
        if not found:
            fail(f"{path}:{number}: write name==version and a licence, as in: timm==1.0.30 Apache-2.0")
        packages.append(found.groups())
    return packages


def wheel_of(name, version, cache):
    stem = re.sub(r"[-_.]+", "_", name).lower()
    def held():
        return [w for w in cache.glob("*.whl") if re.sub(r"[-_.]+", "_", w.name.split("-")[0]).lower() == stem and w.name.split("-")[1] == version]
    if not held():
        cache.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(cache), f"{name}=={version}"]
        if subprocess.run(command).returncode != 0 or not held():
            fail(f"{name}=={version}: pip download gave no wheel; is there a network, and is that version still published?")
    return held()[0]


def licence_in(metadata):
    head = metadata.partition("\n\n")[0]
    said = (re.findall(r"^License-Expression: *(.+)$", head, re.M) or re.findall(r"^Classifier: License :: (.+)$", head, re.M)
            or re.findall(r"^License: *(.+)$", head, re.M) or re.findall(r"^License: *\n((?: +.*\n)+)", head + "\n", re.M))
    return next((spdx for words in said for word, spdx in LICENCES if word in words.lower()), "; ".join(said) or "none")


def unpack(wheel, licence, folder):
    """The import names of packages in it that define modules."""
    with zipfile.ZipFile(wheel) as archive:
        names = [n for n in archive.namelist() if not n.startswith("/") and ".." not in n.split("/")]
        metadata = next((n for n in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", n)), None)
        if metadata is None:
            fail(f"{wheel.name}: has no METADATA")
        stated = licence_in(archive.read(metadata).decode("utf-8", "replace"))
        if stated != licence:
            fail(f"{wheel.name}: its metadata state {stated}, the list {licence}; look at the licence and mend the list")
        code = [n for n in names if n.endswith(".py") and not NO_MODULES.search(n) and ".data/" not in n]
        kept = [n for n in code if "/" in n] + [metadata, metadata.replace("METADATA", "RECORD")]
        found = set()
        for name in kept:
            content = archive.read(name)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
            if re.search(rb"^class \w+\(.*Module\b", content, re.M):
                found.add(name.split("/")[0])
    return sorted(n for n in found if (folder / n / "__init__.py").is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cache", type=pathlib.Path)
    options = parser.parse_args()
    cache = options.cache or options.folder.parent / "wheels"
    options.folder.mkdir(parents=True, exist_ok=True)
    imports = {}
    for name, version, licence in read_list(options.list):
        done = options.folder / ".staged" / f"{name}-{version}"
        if not done.is_file():
            found = unpack(wheel_of(name, version, cache), licence, options.folder)
            done.parent.mkdir(exist_ok=True)
            done.write_text("\n".join(found) + "\n")
        for package in done.read_text().split():
            if package in imports and imports[package] != name:
                fail(f"{name} and {imports[package]} both bring `{package}`; leave one of them out")
            imports[package] = name
    (options.folder / "packages.txt").write_text("".join(p + "\n" for p in sorted(imports)))
    print(f"{len(set(imports.values()))} distributions, {len(imports)} packages with modules in {options.folder}")


if __name__ == "__main__":
    main()
