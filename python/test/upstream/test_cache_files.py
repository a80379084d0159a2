# SPDX-License-Identifier: MIT
"""A damaged cache is a miss, an unwritable one is replaced."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest
from triton.runtime.cache import FileCacheManager

from flagtree.compiler.blob import CorruptBlobError, is_whole, seal, unseal
from flagtree.upstream import cache_files

METADATA = json.dumps({"hash": "h", "target": {}, "name": "k", "shared": 0})


def store(obj: bytes = seal(b"code"), metadata: str = METADATA, llir: str = "define") -> FileCacheManager:
    manager = FileCacheManager("key")
    files = {
        "k.obj": manager.put(obj, "k.obj"),
        "k.llir": manager.put(llir, "k.llir"),
        "k.json": manager.put(metadata, "k.json", binary=False),
    }
    manager.put_group("k.json", files)
    return manager


def test_a_whole_entry_is_found() -> None:
    assert set(store().get_group("k.json")) == {"k.obj", "k.llir", "k.json"}


@pytest.mark.parametrize(
    "obj",
    [
        b"",
        b"co",
        seal(b"code")[:-1],
        seal(b"code")[1:],
        b"C" + seal(b"code")[1:],
        seal(b"code") + b"x",
        b"\0" * 200,
    ],
)
def test_a_damaged_object_is_a_miss(obj: bytes) -> None:
    assert store(obj=obj).get_group("k.json") is None


@pytest.mark.parametrize("metadata", ["", "{", "[]", json.dumps({"hash": "h"}), "null"])
def test_damaged_metadata_is_a_miss(metadata: str) -> None:
    assert store(metadata=metadata).get_group("k.json") is None


def test_text_that_is_no_text_is_a_miss() -> None:
    manager = store()
    (Path(manager.cache_dir) / "k.llir").write_bytes(b"\xff\xfe\xff")
    assert manager.get_group("k.json") is None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "7", '"k"', '{"child_paths": 7}', '{"child_paths": [1, 2]}']
)
def test_a_damaged_list_of_files_is_a_miss(text: str) -> None:
    manager = store()
    (Path(manager.cache_dir) / "__grp__k.json").write_text(text)
    assert not manager.get_group("k.json")


def test_entries_of_other_backends_are_not_looked_at() -> None:
    manager = FileCacheManager("other")
    manager.put_group("k.json", {"k.cubin": manager.put(b"anything", "k.cubin")})
    assert set(manager.get_group("k.json")) == {"k.cubin"}


def test_a_seal_comes_off_again_and_tools_see_the_object_first() -> None:
    sealed = seal(b"\x7fELF code")
    assert unseal(sealed) == b"\x7fELF code" and sealed.startswith(b"\x7fELF") and is_whole(sealed)


def test_a_broken_seal_says_what_is_wrong() -> None:
    with pytest.raises(CorruptBlobError, match="too few"):
        unseal(b"x")
    with pytest.raises(CorruptBlobError, match="seal at its end is missing"):
        unseal(seal(b"code")[:-3] + b"xyz")
    with pytest.raises(CorruptBlobError, match="does not match its checksum"):
        unseal(b"C" + seal(b"code")[1:])
    with pytest.raises(CorruptBlobError, match="holds 3 bytes and was written with 4"):
        unseal(seal(b"code")[1:])


@pytest.fixture
def unusable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache directory that cannot be made: its parent is a file (root may write everywhere else)."""
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "cache"
    monkeypatch.setenv("TRITON_CACHE_DIR", str(path))
    monkeypatch.setattr(cache_files, "_substitute", None)
    return path


def test_an_unusable_directory_is_replaced_and_told_once(unusable: Path) -> None:
    with pytest.warns(RuntimeWarning, match=f"{unusable}.*cannot be used.*TRITON_CACHE_DIR") as told:
        manager = store()
    assert manager.get_group("k.json") is not None
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert store().get_group("k.json") is not None


def test_a_directory_that_becomes_unwritable_is_replaced(
    cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_files, "_substitute", None)
    manager = FileCacheManager("key")
    Path(manager.cache_dir).rmdir()
    Path(manager.cache_dir).write_text("a file in its place")
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        assert Path(manager.put(b"code", "k.obj")).read_bytes() == b"code"
