"""Small files of ours in the formats of go programs: what is read, and what is refused."""

from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.formats.detect import read
from honours.formats.go import GoTournament
from honours.pipeline import ranked, read_account
from honours.pipeline.rating_changes import rating_changes
from tests.formats.test_samples import sample
from tests.support import cases

TOU = """;name=Coupe
;date=02/03/2024
;vill=Lyon
   1 DUPONT Anne                2D 1234567 69Ly    2+w0    3+b1
   2 MARTIN Léo                 1K 7654321 69Ly    1-b0   0=
   3 PEETERS Jan                3K ------- BE     0+       1-w1
"""
MACMAHON_WALL = """Spring Cup - After Round 2
Place Name              Club     Level Score     1        2    Points ScoreX SOS
   1  Reed, Alma        nl-Utr   2 Dan    2      2+      3+      2       2      1
   2  Lund, Bo          nl-Utr   1 Kyu    1      1-     free     1       1      2
   3  Vos, Cas          de-Ber   3 Kyu    0½     -       1-      0       0      2
"""
_PAIRING = """<Pairing><PairingWithBye>false</PairingWithBye><Black>1</Black><White>2</White>
<Handicap>0</Handicap><Result>1-0</Result><ResultByReferee>false</ResultByReferee>
<BoardNumber>1</BoardNumber></Pairing>"""


def _player(id_: int, name: str, level: str) -> str:
    return f"""<IndividualParticipant typeversion="1"><Id>{id_}</Id><GoPlayer>
<FirstName>X</FirstName><Surname><![CDATA[{name}]]></Surname><GoLevel>{level}</GoLevel>
<Rating>0</Rating><Country>nl</Country><Club>Utr</Club></GoPlayer></IndividualParticipant>"""


MACMAHON = f"""<?xml version="1.0"?><Tournament typeversion="9"><NumberOfRounds>1</NumberOfRounds>
<Name>Cup</Name><Walllist><SortCriterionDescriptor><ShortName>Score</ShortName>
</SortCriterionDescriptor></Walllist>{_player(1, "Reed", "2d")}{_player(2, "Lund", "1k")}
<TournamentRound><RoundNumber>1</RoundNumber>{_PAIRING}</TournamentRound></Tournament>"""
PAIRGOTH = sample("pairgoth", "pairgoth")


def told(folder: Path, text: str) -> GoTournament:
    path = folder / "x"
    path.write_text(text, encoding="utf-8")
    _, content = read(path)
    assert isinstance(content, GoTournament)
    return content


TEXTS = {
    "TOU": TOU,
    "MACMAHON": MACMAHON,
    "MACMAHON_WALL": MACMAHON_WALL,
    "PAIRGOTH": PAIRGOTH,
}


@cases
def test_refused(tmp_path: Path, text: str, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        told(tmp_path, TEXTS[text].replace(old, new))
    assert message in str(caught.value)


def test_a_tournament_changes_ratings_where_its_class_is_known(tmp_path: Path) -> None:
    path = tmp_path / "x.h9"
    rows = ("1 Ash Ann 2D FR Par 1 0 0 0 2+/w0", "2 Oak Bob 1D FR Lyo 0 0 0 0 1-/b0")
    path.write_text("; EV[Open]\n" + "\n".join(rows) + "\n", encoding="ascii")
    report = ranked(read_account(path))
    assert rating_changes(report) == {}
    ann, bob = rating_changes(report, "A").values()
    assert (ann.after, bob.after) == ("2205.689", "2094.323")
    assert (ann.change, bob.change) == (Fraction("5.689"), Fraction("-5.677"))
