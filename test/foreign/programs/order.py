"""Places an order under a key, asks again under the same one, finds it, cancels it twice; by the HTTP library named."""

import asyncio
import json
import os
import sys
import urllib.error
import urllib.request
import uuid

BASE_URL, KEY = os.environ["PERP_BASE_URL"], os.environ["PERP_API_KEY"]


def by_urllib(method, path, body, headers):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE_URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def by_requests(method, path, body, headers):
    import requests

    answer = requests.request(method, BASE_URL + path, json=body, headers=headers, timeout=30)
    return answer.status_code, answer.json()


def by_httpx(method, path, body, headers):
    import httpx

    answer = httpx.request(method, BASE_URL + path, json=body, headers=headers, timeout=30)
    return answer.status_code, answer.json()


def by_aiohttp(method, path, body, headers):
    import aiohttp

    async def ask():
        async with aiohttp.ClientSession() as session:
            async with session.request(method, BASE_URL + path, json=body, headers=headers) as answer:
                return answer.status, await answer.json()

    return asyncio.run(ask())


send = {"urllib": by_urllib, "requests": by_requests, "httpx": by_httpx, "aiohttp": by_aiohttp}[sys.argv[1]]


def call(method, path, body=None, key=None):
    headers = {"Authorization": f"Bearer {KEY}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if key is not None:
        headers["Idempotency-Key"] = key
    return send(method, path, body, headers)


account = call("GET", "/v1/accounts")[1]["data"][0]["id"]
name = f"{sys.argv[1]}-{uuid.uuid4()}"
order = {
    "account_id": account,
    "market_id": "binance|BTCUSDT",
    "side": "buy",
    "type": "limit",
    "size": 0.005,
    "limit_price": 20000,
    "leverage": 1,
    "margin_mode": "cross",
    "client_order_id": name,
}
first, again = (call("POST", "/v1/orders", order, name) for _ in range(2))
placed = first[1]["data"]
found = call("GET", f"/v1/orders?account_id={account}&client_order_id={name}")[1]["data"]
canceled, ended = (call("DELETE", f"/v1/orders/{placed['id']}") for _ in range(2))
print(
    json.dumps(
        [
            [first[0], placed["status"]],
            [again[0], again[1]["data"]["id"] == placed["id"]],
            [[one["id"] == placed["id"], one["client_order_id"] == name] for one in found],
            [canceled[0], canceled[1]["data"]["canceled"]],
            [ended[0], ended[1]["error"]["code"]],
        ]
    )
)
