import PushBridgeCore

extension Scenario {
    static let receiving: [Scenario] = [
        withCredential(
            "A push contains every member",
            [
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
        withCredential(
            "Claims have unusual types",
            [
                .receive("p1", to: "babs") { $0.claims = ["t": 30, "i": 1_700_000_000_500] },
                .receive("p2", to: "babs") { $0.claims = ["p": ["a": .array([1, .null, true])]] },
                .receive("p3", to: "babs") { $0.claims = ["k": "CHALLENGE", "n": "1,x,3"] },
                .receive("p4", to: "babs") { $0.claims = ["k": "carrier pigeon"] }, .list(.notifications),
            ]
        ),
        withCredential(
            "Optional claims are absent",
            [
                .receive("p1", to: "babs") { $0.claims = ["t": .null, "i": .null, "k": .null, "m": .null] },
                .list(.notifications), .answer("p1", .approve),
            ]
        ),
        withCredential(
            "Required claims are absent",
            [
                .receive("p1", to: "babs") { $0.claims = ["u": .null] },
                .receive("p2", to: "babs") { $0.claims = ["c": .null] }, .list(.notifications),
            ]
        ),
        withCredential(
            "Claims are invalid",
            [
                .receive("p1", to: "babs") { $0.claims = ["c": "?"] },
                .receive("p2", to: "babs") { $0.claims = ["t": "soon"] },
                .receive("p3", to: "babs") { $0.claims = ["i": "yesterday"] }, .list(.notifications),
            ]
        ),
        withCredential(
            "A stranger signs a push",
            [.receive("p1", to: "babs") { $0.isForged = true }, .list(.notifications)]
        ),
        withCredential(
            "A push is for an unknown mechanism",
            [.receive("p1", to: "babs") { $0.claims = ["u": "nobody"] }, .list(.notifications)]
        ),
        withPush("A push arrives twice", [.receiveAgain("p1"), .list(.notifications)]),
        withPush(
            "An answered push arrives again",
            [.answer("p1", .approve), .receiveAgain("p1"), .list(.pending), .answer("p1", .deny)]
        ),
        withCredential(
            "A push has the message id of another account's push",
            [
                .enrol("scarter"), .receive("p1", to: "babs"),
                .receive("p2", to: "scarter") { $0.messageIdOf = "p1" }, .list(.notifications),
            ]
        ),
        withCredential(
            "A payload is not from PingAM",
            [
                .receiveRaw(["aps": ["alert": "News"]]),
                .receiveRaw(["aps": ["messageId": "m", "data": "no token"]]),
                .receiveRaw(["messageId": "m", "data": "a.b.c"]), .receiveRaw([:]), .list(.notifications),
            ]
        ),
        withCredential(
            "A payload contains a token that is refused",
            [
                // The first token is unsigned. The header of the second is not JSON. The third has no
                // claims.
                .receiveRaw(["aps": ["messageId": "m", "data": "eyJhbGciOiJub25lIn0.eyJ1IjoiYiJ9.AAAA"]]),
                .receiveRaw(["aps": ["messageId": "m", "data": "a.b.c"]]),
                .receiveRaw(["aps": ["messageId": "m", "data": "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"]]),
                .list(.notifications),
            ]
        ),
        withCredential(
            "Keys outside aps are ignored",
            [
                .receive("p1", to: "babs") {
                    $0.outside = ["messageId": "AUTHENTICATE:other", "data": "a.b.c", "aps2": [:]]
                },
                .answer("p1", .approve),
            ]
        ),
        withCredential(
            "A payload spells content-available in three ways",
            [
                .receive("p1", to: "babs") { $0.aps = ["content-available": 1] },
                .receive("p2", to: "babs") { $0.aps = ["content-available": true] },
                .receive("p3", to: "babs") {
                    $0.aps = ["content-available": .null, "alert": ["body": "Hello"]]
                },
                .list(.pending),
            ]
        ),
        withCredential(
            "A push contains the user's id",
            [
                .receive("p1", to: "babs") { $0.claims = ["d": "babs-1"] }, .list(.credentials),
                .receive("p2", to: "babs") { $0.claims = ["d": "someone else"] }, .token("ff00"),
            ]
        ),
        withPush(
            "More pushes arrive than the async API keeps",
            settings: { $0.keptNotifications = 2 },
            [.receive("p2", to: "babs"), .receive("p3", to: "babs"), .answer("p3", .approve)]
        ),
        withToken(
            "Many pushes arrive",
            [.enrol("babs")] + (1...12).flatMap { [.receive("p\($0)", to: "babs"), .advance(1)] }
                + [.list(.pending)]
        ),
    ]
}

extension Scenario {
    static let answering: [Scenario] = [
        withPush("A push is approved", [.answer("p1", .approve), .list(.notifications)]),
        withPush(
            "Each API uses its default time-out",
            settings: { $0.ownTimeout = true },
            [.answer("p1", .approve)]
        ),
        withPush("A push is denied", [.answer("p1", .deny), .list(.notifications)]),
        withCredential(
            "A challenge is approved with the right number",
            [.challenge("p1", to: "babs"), .answer("p1", .challenge), .list(.notifications)]
        ),
        withCredential(
            "A challenge is approved with a wrong number",
            [.challenge("p1", to: "babs"), .answer("p1", .challenge, number: "57"), .list(.notifications)]
        ),
        withCredential(
            "A challenge is approved with a wrong number and then with the right one",
            [
                .challenge("p1", to: "babs"), .answer("p1", .challenge, number: "57"),
                .answer("p1", .challenge), .list(.notifications),
            ]
        ),
        withCredential(
            "A challenge is approved with a number that is not shown",
            [.challenge("p1", to: "babs"), .answer("p1", .challenge, number: "99")]
        ),
        withCredential(
            "A challenge is denied",
            [.challenge("p1", to: "babs"), .answer("p1", .deny), .list(.notifications)]
        ),
        withCredential(
            "A challenge is approved with no number",
            [.challenge("p1", to: "babs"), .answer("p1", .challenge, number: "")]
        ),
        withCredential(
            "A biometric push is approved",
            [.biometric("p1", to: "babs"), .answer("p1", .biometric), .list(.notifications)]
        ),
        withCredential(
            "A biometric push is denied",
            [.biometric("p1", to: "babs"), .answer("p1", .deny), .list(.notifications)]
        ),
        withCredential(
            "The face is refused, and recognised later",
            [
                .biometric("p1", to: "babs"), .device(refusesFace: true), .answer("p1", .biometric),
                .list(.pending), .device(refusesFace: false), .answer("p1", .biometric),
                .list(.notifications),
            ]
        ),
        withPush(
            "The device is locked, and unlocked later",
            [
                .device(isLocked: true), .receive("p2", to: "babs"), .answer("p1", .approve),
                .list(.pending), .list(.credentials), .readToken, .device(isLocked: false),
                .answer("p1", .approve), .list(.notifications),
            ]
        ),
        withPush(
            "Pushes are approved in the wrong way",
            [
                .challenge("p2", to: "babs"), .biometric("p3", to: "babs"), .answer("p1", .challenge),
                .answer("p1", .biometric), .answer("p2", .approve), .answer("p2", .biometric),
                .answer("p3", .approve), .answer("p3", .challenge), .list(.pending),
                .answer("p2", .challenge),
            ]
        ),
        withPush(
            "A push is answered twice",
            [.answer("p1", .approve), .answer("p1", .approve), .answer("p1", .deny), .list(.notifications)]
        ),
        withPush(
            "A push is answered twice at once",
            [.answer("p1", .approve, meanwhile: .approve), .list(.notifications)]
        ),
        withCredential(
            "A push is denied while it is being approved",
            [
                .challenge("p1", to: "babs"), .answer("p1", .challenge, meanwhile: .deny),
                .list(.notifications),
            ]
        ),
        withCredential(
            "An expired push is answered, and the server refuses the answer",
            [
                .receive("p1", to: "babs") { $0.ttl = 30 }, .advance(31), .list(.pending),
                .answer("p1", .approve), .list(.pending),
            ]
        ),
        withPush(
            "A server that reads messages from the token store treats every value of deny as a denial",
            settings: { $0.nodes = .tokenStore },
            [
                .answer("p1", .approve), .challenge("p2", to: "babs"), .answer("p2", .challenge),
                .biometric("p3", to: "babs"), .answer("p3", .biometric), .receive("p4", to: "babs"),
                .answer("p4", .deny),
            ]
        ),
        withPush(
            "Only the cookie leads to the server that sent the push",
            settings: { $0.nodes = .balanced },
            [.receive("p2", to: "babs"), .answer("p2", .approve), .answer("p1", .approve)]
        ),
        withCredential(
            "An answer to a push without a cookie reaches another server",
            settings: { $0.nodes = .balanced },
            [
                .receive("p1", to: "babs") { $0.claims = ["l": .null] }, .answer("p1", .approve),
                .list(.pending),
            ]
        ),
    ]
}

extension Scenario {
    static let failing: [Scenario] =
        [
            Step.FaultOrder.Kind.dropConnection, .refusal, .serverError, .redirect,
        ].map { kind in
            withPush(
                "An answer fails with \(kind.rawValue) and is repeated",
                [
                    .fault(kind), .answer("p1", .approve), .list(.pending), .answer("p1", .approve),
                    .list(.notifications),
                ]
            )
        } + [
            withPush(
                "The response to an answer is lost, and the answer is repeated",
                [
                    .fault(.loseResponse), .answer("p1", .deny), .list(.pending), .answer("p1", .deny),
                    .list(.pending),
                ]
            ),
            withPush(
                "The server accepts an answer, and the body of its response is not JSON",
                [.fault(.garbageBody), .answer("p1", .approve), .list(.notifications)]
            ),
            withPush("The response to an answer is delayed", [.fault(.delay), .answer("p1", .approve)]),
            withCredential(
                "After a failure, the user gives the opposite answer",
                [
                    .challenge("p1", to: "babs"), .fault(.serverError), .answer("p1", .challenge),
                    .answer("p1", .deny), .list(.notifications),
                ]
            ),
            withPush(
                "The server forgot the device",
                [.forget("babs"), .answer("p1", .approve), .token("ff00"), .list(.pending)]
            ),
            withPush(
                "An answer fails while a second answer is sent",
                [
                    .fault(.refusal), .answer("p1", .approve, meanwhile: .deny), .answer("p1", .deny),
                    .list(.notifications),
                ]
            ),
        ]
}

extension Scenario {
    static let policies: [Scenario] = [
        withToken(
            "A policy locks an account and unlocks it again",
            settings: { $0.policies = true },
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# }, .receive("p1", to: "babs"),
                .device(biometrics: false), .list(.credentials), .answer("p1", .approve), .list(.pending),
                .device(biometrics: true), .list(.credentials), .answer("p1", .approve),
            ]
        ),
        withToken(
            "A policy is evaluated when an answer is given",
            settings: { $0.policies = true },
            [
                .enrol("babs") { $0.policies = #"{"deviceTampering":{"score":0.5}}"# },
                .receive("p1", to: "babs"), .device(tampering: 0.5), .answer("p1", .deny),
                .device(tampering: 0.4), .answer("p1", .deny), .list(.credentials),
            ]
        ),
        withToken(
            "A policy refuses a code",
            settings: { $0.policies = true },
            [
                .device(biometrics: false), .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# },
                .list(.credentials),
            ]
        ),
        withToken(
            "Policies are unknown or not JSON",
            settings: { $0.policies = true },
            [
                .device(biometrics: false, tampering: 1),
                .enrol("babs") { $0.policies = #"{"moonPhase":{}}"# },
                .enrol("scarter") { $0.policies = "no JSON" }, .list(.credentials),
            ]
        ),
        withToken(
            "No policies are evaluated",
            [
                .device(biometrics: false), .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# },
                .receive("p1", to: "babs"), .answer("p1", .approve), .list(.credentials),
            ]
        ),
        withToken(
            "The app locks and unlocks an account",
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# }, .receive("p1", to: "babs"),
                .lock("babs", policy: "biometricAvailable"), .answer("p1", .approve), .answer("p1", .deny),
                .unlock("babs"), .list(.credentials), .answer("p1", .approve),
            ]
        ),
        withToken(
            "Reading unlocks an account if the device complies with the policy that locked it",
            settings: { $0.policies = true },
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# }, .receive("p1", to: "babs"),
                .lock("babs", policy: "biometricAvailable"), .list(.credentials), .answer("p1", .approve),
            ]
        ),
        withToken(
            "An account that an unknown policy locked is read",
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# },
                .lock("babs", policy: "biometricAvailable"), .list(.credentials),
            ]
        ),
        withToken(
            "Lock requests are invalid",
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# }, .unlock("babs"),
                .lock("babs", policy: "biometricAvailable"), .lock("babs", policy: "biometricAvailable"),
                .list(.credentials), .unlock("babs"), .lock("babs", policy: "moonPhase"),
            ]
        ),
        withToken(
            "A locked account still receives pushes",
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# },
                .lock("babs", policy: "biometricAvailable"), .receive("p1", to: "babs"), .list(.pending),
                .token("ff00"), .rename("babs", issuer: "My bank"), .list(.credentials),
            ]
        ),
    ]
}
