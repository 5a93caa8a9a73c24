"""Signatures on checkpoints: Ed25519, with keys that belong to and stay with the user."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from honours.errors import FileProblem, InputError
from honours.rings import require

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )


_HEX = re.compile(r"[0-9a-fA-F]*")


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature and the public key that checks it, both in hexadecimal."""

    key: str
    value: str


def new_key(path: str | Path) -> str:
    """Create a private key that only its owner can read; returns the public one, for everybody."""
    require("cryptography")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    made = Ed25519PrivateKey.generate()
    pem = made.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise InputError(
            "{path} is there already; a key is never written over", path=path
        ) from error
    except OSError as error:
        raise FileProblem(
            path, "cannot be written ({strerror})", strerror=error.strerror
        ) from error
    with os.fdopen(handle, "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    return _hex(made.public_key())


def make_signature(text: str, key: str | Path) -> Signature:
    """A signature of a text, by the private key in a file."""
    private = _private(key)
    return Signature(_hex(private.public_key()), private.sign(text.encode()).hex())


def signature_holds(text: str, signature: Signature) -> bool:
    """Whether a signature matches this text."""
    require("cryptography")
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        key.verify(bytes.fromhex(signature.value), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key(text: str) -> str:
    """A public key as given: in hexadecimal, or in a file that holds it. Digits are a key, whatever
    files there are."""
    if not _HEX.fullmatch(text) and Path(text).is_file():
        digits = Path(text).read_text(encoding="utf-8").strip().lower()
    else:
        digits = text.strip().lower()
    if not _HEX.fullmatch(digits) or len(digits) != 64:
        raise InputError(
            "{text}: not a public key; expected 64 hexadecimal digits or a file of them", text=text
        )
    return digits


def _private(path: str | Path) -> Ed25519PrivateKey:
    require("cryptography")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        key = serialization.load_pem_private_key(Path(path).read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise FileProblem(
            path, "no private key ({error})", "one of `ledger audit key`", error=error
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise FileProblem(path, "a private key of another kind", "an Ed25519 key")
    return key


def _hex(key: Ed25519PublicKey) -> str:
    from cryptography.hazmat.primitives import serialization

    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return raw.hex()
