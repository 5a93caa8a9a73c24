"""Compared with real files beside the repository: formats pbn."""

from honours.formats.pbn import read_pbn
from honours.formats.usebio import read_usebio
from honours.model import Event
from tests.support import shared


def real(name: str) -> Event:
    return read_pbn(shared(f"real/pbn/{name}.pbn"))


def test_a_hand_record_with_contracts_has_the_results_of_the_event() -> None:
    event = real("hands-of-shared-usebio-and-pbn")
    (usebio,) = read_usebio(shared("real/usebio/usebio-and-pbn.xml"))

    def told(e: Event) -> set[tuple[object, ...]]:
        return {
            (r.board, r.ns, r.ew, r.contract, r.tricks, r.passed_out)
            for r in e.sessions[0].results
            if not r.adjusted
        }

    assert len(event.sessions[0].boards) == 24
    assert told(event) == told(usebio)
