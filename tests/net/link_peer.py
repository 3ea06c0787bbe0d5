# SPDX-License-Identifier: BSL-1.0
"""Both ends of a conversation over the impaired link: a request of so many bytes is answered by so many, each byte checked.

    link_peer.py server [PORT]
    link_peer.py client REQUEST-BYTES RESPONSE-BYTES COUNT [TIME-OUT [PORT]]

The client prints JSON: seconds to connect, seconds of each request, retransmissions of both ends, or what failed.
"""

import json
import socket
import struct
import sys
import time

PORT = 1433
HEADER = struct.Struct("<III")  # lengths of request and response, number of the request
TOTAL_RETRANS = 100  # offset in the kernel's struct tcp_info
PATTERN = bytes(range(251)) * 400


def body(number, length):
    start = number % 251
    return (PATTERN * (length // len(PATTERN) + 2))[start:start + length]


def receive(connection, length):
    out = bytearray()
    while len(out) < length:
        part = connection.recv(min(length - len(out), 65536))
        if not part:
            raise ConnectionError("the other end has closed")
        out += part
    return bytes(out)


def retransmissions(connection):
    return struct.unpack_from("<I", connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), TOTAL_RETRANS)[0]


def serve(port):
    with socket.create_server(("0.0.0.0", port)) as listener:
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    while True:
                        request, response, number = HEADER.unpack(receive(connection, HEADER.size))
                        if receive(connection, request - HEADER.size) != body(number, request - HEADER.size):
                            raise ConnectionError("a request has come wrong")
                        # The last four bytes are this end's retransmissions so far.
                        connection.sendall(body(number, response - 4) + struct.pack("<I", retransmissions(connection)))
                except OSError:
                    continue


def ask(connection, request, response, number):
    began = time.monotonic()
    connection.sendall(HEADER.pack(request, response, number) + body(number, request - HEADER.size))
    answer = receive(connection, response)
    took = time.monotonic() - began
    if answer[:-4] != body(number, response - 4):
        raise ConnectionError("an answer has come wrong")
    return took, struct.unpack("<I", answer[-4:])[0]


def talk(request, response, count, patience, port):
    out = {"times": [], "server_retransmissions": 0}
    began = time.monotonic()
    with socket.create_connection(("10.77.0.2", port), timeout=60) as connection:
        out["connect"] = time.monotonic() - began
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(patience)
        out["mss"] = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG)
        try:
            for number in range(count):
                took, out["server_retransmissions"] = ask(connection, request, response, number)
                out["times"].append(took)
        except OSError as error:
            out["failed"] = type(error).__name__
        out["retransmissions"] = retransmissions(connection)
    return out


if __name__ == "__main__":
    words = sys.argv[2:]
    if sys.argv[1] == "server":
        serve(int(words[0]) if words else PORT)
    else:
        numbers = [int(word) for word in words[:3]]
        print(json.dumps(talk(*numbers, float(words[3]) if len(words) > 3 else 60.0,
                              int(words[4]) if len(words) > 4 else PORT)))
