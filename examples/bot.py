"""A bot over HTTP, with nothing but Python's standard library: it follows two averages of the midpoint.

    perp sim serve &
    PERP_BASE_URL=http://127.0.0.1:7400 PERP_API_KEY=$(perp sim key add --scope trade --json --jq .api_key) \
        python3 examples/bot.py --looks 60

It places every order under an idempotency key of its own: if no answer comes, the same request is sent again under the same
key, and the service carries it out once.
"""

import argparse
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

BASE_URL = os.environ["PERP_BASE_URL"].rstrip("/")
KEY = os.environ["PERP_API_KEY"]


def call(method, path, body=None, key=None):
    """One request; returns the data of its answer. Raises SystemExit with the service's words if it refuses."""
    headers = {"Authorization": f"Bearer {KEY}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if key is not None:
        headers["Idempotency-Key"] = key
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(5):
        request = urllib.request.Request(BASE_URL + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as refused:
            if refused.code in (429, 503) and attempt < 4:
                time.sleep(float(refused.headers.get("Retry-After", 1)))
                continue
            error = json.load(refused).get("error", {})
            raise SystemExit(f"{error.get('code')}: {error.get('message')}") from None
        except (urllib.error.URLError, TimeoutError):
            # Without a key, a write must not be sent twice.
            if attempt == 4 or (method != "GET" and key is None):
                raise
            time.sleep(0.2 * 2**attempt)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--market", default="binance|BTCUSDT")
    options.add_argument("--size", type=float, default=0.01)
    options.add_argument("--looks", type=int, default=60)
    options.add_argument("--every", type=float, default=1.0, help="seconds between looks")
    given = options.parse_args()

    account = call("GET", "/v1/accounts")[0]["id"]
    market = urllib.parse.quote(given.market, safe="")
    mids = []
    for _ in range(given.looks):
        mids.append(call("GET", f"/v1/markets/{market}/quote")["mid"])
        held = sum(
            (1 if one["side"] == "long" else -1) * one["size"]
            for one in call("GET", f"/v1/positions?account_id={account}")
            if one["market_id"] == given.market
        )
        fast, slow = sum(mids[-5:]) / len(mids[-5:]), sum(mids[-20:]) / len(mids[-20:])
        wanted = given.size if fast > slow else -given.size if fast < slow else held
        change = round(wanted - held, 8)
        if change != 0:
            order = {
                "account_id": account,
                "market_id": given.market,
                "side": "buy" if change > 0 else "sell",
                "size": abs(change),
                "leverage": 1,
                "margin_mode": "cross",
            }
            done = call("POST", "/v1/orders", order, key=str(uuid.uuid4()))
            print(f"{done['side']} {done['size']} at {done['fill_price']}", flush=True)
        time.sleep(given.every)
    balance = call("GET", f"/v1/accounts/{account}")["balance"]
    print(f"balance {balance} USD")


if __name__ == "__main__":
    main()
