"""Every figure the sources print and every example of every rulebook, as this Python has them."""

import hashlib
import json

from honours.conformance.runner import chosen_claims
from honours.conformance.runner import run as judged
from honours.engine.exact.explanation import explain
from honours.engine.rulebook.examples import examples, run
from honours.rulebooks import ids, load

found: dict[str, object] = {
    f"claim {n}": verdict.as_dict() for n, verdict in enumerate(judged(chosen_claims()))
}
for name in ids():
    book = load(name)
    for n, example in enumerate(examples(book)):
        try:
            awards = run(book.amend(example.changes), example, in_words=True)
        except Exception as error:  # an example of what is refused
            found[f"{name} {n}"] = str(error)
            continue
        text = "\n".join(
            f"{award.shown} {explain(award)}" for one in awards for award in one.schedule
        )
        shown = [[award.shown for award in one.schedule] for one in awards]
        found[f"{name} {n}"] = [shown, hashlib.sha256(text.encode()).hexdigest()]
print(json.dumps(found, default=str))
