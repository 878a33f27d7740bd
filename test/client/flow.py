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
    ConflictError,
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

# The emails of a lead are read, edited, written again, approved and exported, and its address is suppressed.
written = overture.generate(
    campaign,
    {
        "lead": {"email": "ida@northquarry.example", "name": "Ida Moreau", "company": "North Quarry"},
        "options": {"email_count": 2, "email_signature": "Piotr\nKestrel Pumps"},
    },
)
single, lead_id = written["list_id"], written["lead_id"]
assert [email["version"] for email in overture.get_lead(single, lead_id)["emails"]] == [1, 1]
assert overture.edit_email(single, lead_id, 1, {"subject": "Unplanned stops", "version": 1})["version"] == 2
conflict = refused(ConflictError, lambda: overture.edit_email(single, lead_id, 1, {"subject": "Other", "version": 1}))
assert conflict.detail["email"]["subject"] == "Unplanned stops", conflict.detail
rewritten = overture.rewrite_lead(single, lead_id, {"step": 1}, idempotency_key="again")["emails"]
assert overture.rewrite_lead(single, lead_id, {"step": 1}, idempotency_key="again")["emails"] == rewritten
assert [email["version"] for email in rewritten] == [3, 1]
assert [one["by"] for one in overture.iter_email_versions(single, lead_id, 1)] == ["rewrite", "person", "writer"]
refused(ConflictError, lambda: overture.review_lead(single, lead_id, {"status": "approved", "versions": [{"step": 1, "version": 2}]}))
decision: types.ReviewInput = {
    "status": "approved",
    "versions": [{"step": email["step"], "version": email["version"]} for email in rewritten],
}
assert overture.review_lead(single, lead_id, decision)["review"]["status"] == "approved"
approved = overture.export_list(single, format="json", review="approved")
assert isinstance(approved, dict)
assert [lead["sequence"][0]["subject"] for lead in approved["leads"]] == [rewritten[0]["subject"]]
assert overture.add_suppressions({"entries": [{"value": "ida@northquarry.example"}]})["added"] == 1
assert [one["value"] for one in overture.iter_suppressions(q="ida@")] == ["ida@northquarry.example"]
approved = overture.export_list(single, format="json", review="approved")
assert isinstance(approved, dict) and approved["leads"] == []

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


requests: typing.List[bytes] = []


def breaking(times: int, answers: bool = True) -> Overture:
    """A client by way of a proxy that breaks connections: so many once their request was answered, and all others in no way."""
    host, port = url.split("//")[1].split(":")
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for n in range(100):
            connection, _ = server.accept()
            request = connection.recv(65536)
            head, _, sent = request.partition(b"\r\n\r\n")
            length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0)
            while len(sent) < length:
                more = connection.recv(65536)
                request, sent = request + more, sent + more
            requests.append(request)
            with socket.create_connection((host, int(port))) as upstream:
                upstream.sendall(request)
                answer = b""
                while chunk := upstream.recv(65536):
                    answer += chunk
            # The first one breaks in the middle of its answer, the others before it.
            connection.sendall(answer if n >= times else answer[:-9] if n == 0 and answers else b"")
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    return Overture(f"http://127.0.0.1:{server.getsockname()[1]}", key)


def keys() -> typing.List[bytes]:
    return [line for request in requests for line in request.split(b"\r\n") if line.lower().startswith(b"idempotency-key")]


def get(answer: bytes) -> typing.Callable[[], object]:
    return lambda: Overture(other(answer), key).get_workspace()


def html(status: int) -> bytes:
    return f"HTTP/1.1 {status} Bad\r\nContent-Length: 4\r\n\r\n<h1>".encode()


assert refused(OvertureError, get(html(500))).code == "NOT_THE_CONTRACT"
# A request that came too soon is sent again.
early = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nX-RateLimit-Remaining: 0\r\nContent-Length: 0\r\n\r\n"
named = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"name":"Ida"}'
assert Overture(other(early, named), key).get_workspace()["name"] == "Ida"
# What a proxy answers without its server is no answer of the server.
assert Overture(other(html(502), html(503), html(504), named), key).get_workspace()["name"] == "Ida"
created = b'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"id":"c"}'
assert Overture(other(html(502), created), key).create_campaign({"name": "Spring"})["id"] == "c"
assert refused(OvertureError, lambda: Overture(other(html(502)), key).create_signature({"signature_text": "Ida"})).status == 502
# The key does not follow a redirect.
redirect = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {url}/api/v1/workspace\r\nContent-Length: 0\r\n\r\n".encode()
assert refused(OvertureError, get(redirect)).status == 307
# A request whose connection breaks is sent again if it only reads or has a key, and is then carried out once.
before = overture.list_campaigns()["total"]
made = breaking(2).create_campaign({"name": "Autumn"})["id"]
assert (len(requests), len(set(keys())), len(keys())) == (3, 1, 3), requests
assert overture.list_campaigns()["total"] == before + 1 and made in [one["id"] for one in overture.iter_campaigns()]
requests.clear()
once = breaking(2, answers=False).generate_batch(
    campaign, {"leads": read["rows"][:1], "options": {**writing, "list_name": "Once", "idempotent": True}}
)
assert (len(requests), len(set(keys()))) == (3, 1) and overture.get_list(once["list_id"])["custom_name"] == "Once"
assert [one["custom_name"] for one in overture.iter_lists(campaign_id=campaign)].count("Once") == 1
requests.clear()
assert breaking(2).get_workspace()["id"] and len(requests) == 3 and keys() == []
# Anything else is not: it could be carried out twice.
requests.clear()
refused(NoAnswerError, lambda: breaking(1).create_signature({"signature_text": "Ida"}))
refused(NoAnswerError, lambda: breaking(1, answers=False).generate_batch(campaign, {"leads": read["rows"][:1], "options": writing}))
assert len(requests) == 2 and keys() == []
cut = b'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: progress\ndata: {"a":\ndata: 1}\n\n: waits\n\nretry: 9\n\n'
stream = Overture(other(cut), key).follow_list(list_id)
assert typing.cast(object, next(stream)) == {"event": "progress", "data": {"a": 1}}
refused(NoAnswerError, lambda: next(stream))

json.dump({"csv": csv.count("\r\n"), "methods": sorted(methods), "version": package.__version__}, sys.stdout)
