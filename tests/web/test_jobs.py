"""Long work that is looked at, cancelled and shared."""

from pathlib import Path

from honours.lab.questions import Question
from honours.processes import Processes
from honours.web.events.service import EventService
from honours.web.events.store import EventStore
from honours.web.jobs.service import Job, Jobs
from honours.web.lab.service import LabService
from honours.web.settings import Settings


def test_a_job_looked_at_does_not_change_under_the_page(tmp_path: Path) -> None:
    """A page that began with "running" once called a job that ended meanwhile cancelled."""
    settings = Settings(data=tmp_path)
    none = Processes()
    events = EventService(EventStore(tmp_path), settings, none)
    lab = LabService(settings, events, Jobs(none))
    job = Job("a1", "generate")
    lab._making["year"] = "", job
    lab._asked[Question("audit", ())] = job
    seen = [lab.making("year"), lab.asked(Question("audit", ()))]
    job.state, job.result = "done", "year"
    assert [(one.state, one.result) for one in seen if one] == [("running", None)] * 2


def test_a_job_goes_on_for_others_who_asked_for_it() -> None:
    jobs = Jobs(Processes())
    job = jobs.ended("audit", None)
    job.owners |= {"ann", "bob"}
    for who, called_off in (("ann", False), ("bob", True)):
        jobs.cancel(job.id, who)
        assert job._cancelled.is_set() is called_off
