import PushBridgeCore

extension Scenario {
    static let receiving: [Scenario] = [
        withToken(
            "A push carries all that pushes can carry",
            [
                .enrol("babs"),
                .receive("p1", to: "babs") {
                    $0.type = "challenge"
                    $0.message = "Login to “Büro” 🔐"
                    $0.numbers = " 34, 43 ,57"
                    $0.customPayload = #"{"order":7}"#
                    $0.contextInfo = #"{"location":{"latitude":51.4,"longitude":-2.6},"remoteIp":"::1"}"#
                    $0.ttl = 45
                },
                .list(.notifications), .list(.pending),
            ]
        ),
        withToken(
            "Claims are of other types than usual",
            [
                .enrol("babs"),
                .receive("p1", to: "babs") { $0.claims = ["t": 30, "i": 1_700_000_000_500] },
                .receive("p2", to: "babs") { $0.claims = ["p": ["a": .array([1, .null, true])]] },
                .receive("p3", to: "babs") { $0.claims = ["k": "CHALLENGE", "n": "1,x,3"] },
                .receive("p4", to: "babs") { $0.claims = ["k": "carrier pigeon"] },
                .list(.notifications),
            ]
        ),
        withToken(
            "Claims are absent that may be",
            [
                .enrol("babs"),
                .receive("p1", to: "babs") { $0.claims = ["t": .null, "i": .null, "k": .null, "m": .null] },
                .list(.notifications), .answer("p1", .approve),
            ]
        ),
        withToken(
            "Claims are absent that must not be",
            [
                .enrol("babs"),
                .receive("p1", to: "babs") { $0.claims = ["u": .null] },
                .receive("p2", to: "babs") { $0.claims = ["c": .null] },
                .list(.notifications),
            ]
        ),
        withToken(
            "Claims make no sense",
            [
                .enrol("babs"),
                .receive("p1", to: "babs") { $0.claims = ["c": "?"] },
                .receive("p2", to: "babs") { $0.claims = ["t": "soon"] },
                .receive("p3", to: "babs") { $0.claims = ["i": "yesterday"] },
                .list(.notifications),
            ]
        ),
        withToken(
            "A stranger signs a push",
            [.enrol("babs"), .receive("p1", to: "babs") { $0.isForged = true }, .list(.notifications)]
        ),
        withToken(
            "A push is for a mechanism that nobody knows",
            [
                .enrol("babs"), .receive("p1", to: "babs") { $0.claims = ["u": "nobody"] },
                .list(.notifications),
            ]
        ),
        withToken(
            "A push comes twice",
            [.enrol("babs"), .receive("p1", to: "babs"), .receiveAgain("p1"), .list(.notifications)]
        ),
        withToken(
            "An answered push comes again",
            [
                .enrol("babs"), .receive("p1", to: "babs"), .answer("p1", .approve), .receiveAgain("p1"),
                .list(.pending), .answer("p1", .deny),
            ]
        ),
        withToken(
            "A push takes the message id of another account's",
            [
                .enrol("babs"), .enrol("scarter"), .receive("p1", to: "babs"),
                .receive("p2", to: "scarter") { $0.messageIdOf = "p1" }, .list(.notifications),
            ]
        ),
        withToken(
            "What comes is not ours",
            [
                .enrol("babs"),
                .receiveRaw(["aps": ["alert": "News"]]),
                .receiveRaw(["aps": ["messageId": "m", "data": "no token"]]),
                .receiveRaw(["messageId": "m", "data": "a.b.c"]),
                .receiveRaw([:]),
                .list(.notifications),
            ]
        ),
        withToken(
            "A payload carries a token that is refused",
            [
                .enrol("babs"),
                // Not signed at all; a header that is no JSON; claims that are none.
                .receiveRaw(["aps": ["messageId": "m", "data": "eyJhbGciOiJub25lIn0.eyJ1IjoiYiJ9.AAAA"]]),
                .receiveRaw(["aps": ["messageId": "m", "data": "a.b.c"]]),
                .receiveRaw(["aps": ["messageId": "m", "data": "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"]]),
                .list(.notifications),
            ]
        ),
        withToken(
            "Keys outside aps do not count",
            [
                .enrol("babs"),
                .receive("p1", to: "babs") {
                    $0.outside = ["messageId": "AUTHENTICATE:other", "data": "a.b.c", "aps2": [:]]
                },
                .answer("p1", .approve),
            ]
        ),
        withToken(
            "A payload says in three ways that content is available",
            [
                .enrol("babs"),
                .receive("p1", to: "babs") { $0.aps = ["content-available": 1] },
                .receive("p2", to: "babs") { $0.aps = ["content-available": true] },
                .receive("p3", to: "babs") {
                    $0.aps = ["content-available": .null, "alert": ["body": "Hello"]]
                },
                .list(.pending),
            ]
        ),
        withToken(
            "A push brings the user's id",
            [
                .enrol("babs"), .receive("p1", to: "babs") { $0.claims = ["d": "babs-1"] },
                .list(.credentials),
                .receive("p2", to: "babs") { $0.claims = ["d": "someone else"] }, .token("ff00"),
            ]
        ),
        withToken(
            "More pushes come than are kept",
            settings: { $0.keptNotifications = 2 },
            [
                .enrol("babs"), .receive("p1", to: "babs"), .receive("p2", to: "babs"),
                .receive("p3", to: "babs"), .answer("p3", .approve),
            ]
        ),
        withToken(
            "Many pushes come",
            [.enrol("babs")] + (1...12).flatMap { [.receive("p\($0)", to: "babs"), .advance(1)] }
                + [.list(.pending)]
        ),
    ]
}
