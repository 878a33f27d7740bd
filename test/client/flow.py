"""What a program does with the Python client, from nothing to emails; run by test/program/python-client.test.ts."""

import inspect
import json
import os
import socket
import sys
import threading
import time
import typing
from pathlib import Path

import overture as package
from overture import (
    BadRequestError,
    NoAnswerError,
    NotFoundError,
    Overture,
    OvertureError,
    UnauthorizedError,
    types,
)

url, key = os.environ["OVERTURE_URL"], os.environ["OVERTURE_API_KEY"]
overture = Overture(url, key)
methods = {
    name: method
    for name, method in inspect.getmembers(Overture, inspect.isfunction)
    if method.__module__ == "overture.client"
}
for method in methods.values():
    typing.get_type_hints(method)
for kind in vars(types).values():
    if typing.is_typeddict(kind):
        typing.get_type_hints(kind)


def refused(kind: typing.Type[OvertureError], call: typing.Callable[[], object]) -> OvertureError:
    try:
        call()
    except OvertureError as error:
        assert type(error) is kind, error
        return error
    raise AssertionError("No error")


def completed(job: str) -> None:
    while True:
        answer = overture.get_job(job)
        if answer["status"] in ("completed", "failed"):
            assert answer["status"] == "completed", answer["error"]
            return
        time.sleep(0.1)


assert overture.health()["status"] == "ok"

# The same key makes the campaign once.
campaign = overture.create_campaign({"name": "Spring"}, idempotency_key="spring")["id"]
assert overture.create_campaign({"name": "Spring"}, idempotency_key="spring")["id"] == campaign
assert overture.create_campaign({"name": "Spring"})["id"] != campaign

segment = next(overture.iter_target_audiences())
research = overture.set_target_audience(
    campaign, {"target_audience": {"id": segment["id"], "segment_name": segment["segment_name"]}}
)
steps: typing.Tuple[types.AssetType, ...] = ("social_proof", "lead_magnet", "risk_reversal")
for step in steps:
    options = overture.list_asset_options(campaign, step)["options"]
    overture.select_assets(campaign, step, {"selected_ids": [option["id"] for option in options[:1]]})
completed(research["id"])
completed(overture.generate_value_propositions(campaign)["id"])
options = overture.list_asset_options(campaign, "value_proposition")["options"]
overture.select_assets(campaign, "value_proposition", {"selected_ids": [option["id"] for option in options[:2]]})
while overture.get_build_status(campaign)["overall"] != "ready":
    time.sleep(0.1)

# A file of leads, given by its path and by its content.
path = Path("leads of May.csv")
path.write_text(
    "email,first name,company\n" + "".join(f"lead{n}@quarry{n}.example,Ida,Quarry {n}\n" for n in range(12)), "utf-8"
)
read = overture.read_lead_file(path)
assert overture.read_lead_file(("other.csv", path.read_bytes()))["rows"] == read["rows"]
mapped = overture.read_lead_file(path, mapping=json.dumps({"name": [], "company": ["first name"]}))
assert mapped["rows"][0].get("company") == "Ida", mapped["rows"][0]
assert overture.import_document(("about us.md", b"# Kestrel\n\nWe repair pumps."))["type"] == "workspace.import.document"

writing: types.BatchOptions = {"email_count": 2, "email_signature": "Piotr\nKestrel Pumps", "list_name": "Trade fair"}
list_id = overture.generate_batch(campaign, {"leads": read["rows"], "options": writing})["list_id"]
events = list(overture.follow_list(list_id))
assert [event["event"] for event in events].count("end") == 1 and events[-1]["event"] == "end"
assert events[-1]["data"]["processing_status"] == "completed"
assert events[0]["event"] == "progress" and events[0]["data"]["progress"]["leads_total"] == 12

# Pages of the method and the iterator over all of them.
page = overture.list_leads(list_id, limit=5, offset=10)
assert (len(page["data"]), page["has_more"], page["total"]) == (2, False, 12)
assert [one["custom_name"] for one in overture.iter_lists(campaign_id=campaign, status="completed")] == ["Trade fair"]
for n in range(103):
    overture.create_signature({"signature_text": f"Piotr {n}"})
assert len({one["id"] for one in overture.iter_signatures()}) == 103

exported = overture.export_list(list_id, format="json")
assert isinstance(exported, dict) and [len(lead["sequence"]) for lead in exported["leads"]] == [2] * 12
csv = overture.export_list(list_id)
assert isinstance(csv, str)

# Errors have the class of their code.
missing = refused(NotFoundError, lambda: overture.get_list(campaign))
assert (missing.code, missing.status) == ("NOT_FOUND", 404) and (missing.request_id or "").startswith("req_")
assert str(missing) == f"NOT_FOUND: {missing.message} ({missing.request_id})"
assert refused(NotFoundError, lambda: overture.get_list(f"{list_id}?")).status == 404
unknown = refused(BadRequestError, lambda: overture.select_assets(campaign, "social_proof", {"selected_ids": [campaign]}))
assert unknown.detail["unknown_ids"] == [campaign]
refused(UnauthorizedError, lambda: Overture(url, "ovk_wrong").get_workspace())
refused(NoAnswerError, lambda: Overture("http://127.0.0.1:1", key).get_workspace())


def other(*answers: bytes) -> str:
    """The address of a server that answers one request after the other with these bytes."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for answer in answers:
            connection, _ = server.accept()
            connection.recv(65536)
            connection.sendall(answer)
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{server.getsockname()[1]}"


def get(answer: bytes) -> typing.Callable[[], object]:
    return lambda: Overture(other(answer), key).get_workspace()


html = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 4\r\n\r\n<h1>"
assert refused(OvertureError, get(html)).code == "NOT_THE_CONTRACT"
# A request that came too soon is sent again.
early = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nX-RateLimit-Remaining: 0\r\nContent-Length: 0\r\n\r\n"
named = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"name":"Ida"}'
assert Overture(other(early, named), key).get_workspace()["name"] == "Ida"
# The key does not follow a redirect.
redirect = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {url}/api/v1/workspace\r\nContent-Length: 0\r\n\r\n".encode()
assert refused(OvertureError, get(redirect)).status == 307
refused(NoAnswerError, get(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"))
cut = b'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: progress\ndata: {"a":\ndata: 1}\n\n: waits\n\nretry: 9\n\n'
stream = Overture(other(cut), key).follow_list(list_id)
assert typing.cast(object, next(stream)) == {"event": "progress", "data": {"a": 1}}
refused(NoAnswerError, lambda: next(stream))

json.dump({"csv": csv.count("\r\n"), "methods": sorted(methods), "version": package.__version__}, sys.stdout)
