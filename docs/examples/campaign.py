"""A campaign from nothing to a file of emails, with what Python 3.9 and newer bring. Run it as: python3 campaign.py"""

import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ.get("OVERTURE_URL", "http://127.0.0.1:3000") + "/api/v1"
KEY = os.environ["OVERTURE_API_KEY"]


class OvertureError(Exception):
    def __init__(self, answer):
        super().__init__(answer["message"])
        self.code = answer["error"]
        self.request_id = answer["request_id"]
        self.detail = answer.get("detail")


def send(method, path, body=None, headers={}):
    """Sends a request and answers the text of its body. One that came too soon is sent again when it may be."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, method=method)
    request.add_header("Authorization", "Bearer " + KEY)
    if body is not None:
        request.add_header("Content-Type", "application/json")
    for name, value in headers.items():
        request.add_header(name, value)
    while True:
        try:
            with urllib.request.urlopen(request) as response:
                return response.read().decode()
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise OvertureError(json.load(error)) from None
            time.sleep(int(error.headers["Retry-After"]))


def call(*request, **headers):
    return json.loads(send(*request, **headers))


def until(path, done):
    while True:
        answer = call("GET", path)
        if done(answer):
            return answer
        time.sleep(0.2)


def completed(job):
    ended = until("/jobs/" + job["id"], lambda job: job["status"] in ("completed", "failed"))
    if ended["status"] == "failed":
        raise RuntimeError(ended["error"])


# Sent twice with the same key, it is made once.
made = {"Idempotency-Key": "spring-%d" % os.getpid()}
campaign = "/campaigns/" + call("POST", "/campaigns", {"name": "Spring"}, headers=made)["id"]

segment = call("GET", "/target-audiences?limit=1")["data"][0]
audience = {"id": segment["id"], "segment_name": segment["segment_name"]}
research = call("POST", campaign + "/target-audience", {"target_audience": audience})
for step in ("social_proof", "lead_magnet", "risk_reversal"):
    options = call("GET", f"{campaign}/assets/{step}/options")["options"]
    chosen = {"selected_ids": [option["id"] for option in options[:1]]}
    call("PUT", f"{campaign}/assets/{step}/selection", chosen)
completed(research)
completed(call("POST", campaign + "/assets/value_proposition/generate"))
options = call("GET", campaign + "/assets/value_proposition/options")["options"]
chosen = {"selected_ids": [option["id"] for option in options[:2]]}
call("PUT", campaign + "/assets/value_proposition/selection", chosen)
until(campaign + "/build-status", lambda status: status["overall"] == "ready")

leads = [
    {
        "email": f"lead@{side.lower()}.example",
        "name": "Ida Moreau",
        "title": "Plant Director",
        "company": f"{side} Quarries Ltd",
    }
    for side in ("North", "South", "East")
]
options = {"email_count": 2, "email_signature": "Piotr\nKestrel Pumps"}
accepted = call("POST", campaign + "/generate-batch", {"leads": leads, "options": options})
path = "/lists/" + accepted["list_id"]
written = until(path, lambda one: one["processing_status"] in ("completed", "failed"))
with open("emails.csv", "w", encoding="utf-8", newline="") as file:
    file.write(send("GET", path + "/export?format=csv"))
print(written["emails_created"], "emails in emails.csv")

# An error has a code for programs and a message for people.
try:
    call("GET", "/lists/" + campaign.split("/")[-1])
except OvertureError as error:
    print(f"{error.code}: {error}")
