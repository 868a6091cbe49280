extension Scenario {
    static let answering: [Scenario] = [
        withToken(
            "A push is approved",
            [.enrol("babs"), .receive("p1", to: "babs"), .answer("p1", .approve), .list(.notifications)]
        ),
        withToken(
            "A push is denied",
            [.enrol("babs"), .receive("p1", to: "babs"), .answer("p1", .deny), .list(.notifications)]
        ),
        withToken(
            "A challenge is approved with the right number",
            [.enrol("babs"), .challenge("p1", to: "babs"), .answer("p1", .challenge), .list(.notifications)]
        ),
        withToken(
            "A challenge is approved with a wrong number",
            [
                .enrol("babs"), .challenge("p1", to: "babs"), .answer("p1", .challenge, number: "57"),
                .list(.notifications),
            ]
        ),
        withToken(
            "A challenge is denied",
            [.enrol("babs"), .challenge("p1", to: "babs"), .answer("p1", .deny), .list(.notifications)]
        ),
        withToken(
            "A challenge is approved with no number",
            [
                .enrol("babs"), .challenge("p1", to: "babs"), .answer("p1", .challenge, number: ""),
            ]
        ),
        withToken(
            "A biometric push is approved",
            [.enrol("babs"), .biometric("p1", to: "babs"), .answer("p1", .biometric), .list(.notifications)]
        ),
        withToken(
            "A biometric push is denied",
            [.enrol("babs"), .biometric("p1", to: "babs"), .answer("p1", .deny), .list(.notifications)]
        ),
        withToken(
            "Pushes are approved in the wrong way",
            [
                .enrol("babs"), .receive("p1", to: "babs"), .challenge("p2", to: "babs"),
                .biometric("p3", to: "babs"),
                .answer("p1", .challenge), .answer("p1", .biometric),
                .answer("p2", .approve), .answer("p2", .biometric),
                .answer("p3", .approve), .answer("p3", .challenge),
                .list(.pending), .answer("p2", .challenge),
            ]
        ),
        withToken(
            "A push is answered twice",
            [
                .enrol("babs"), .receive("p1", to: "babs"), .answer("p1", .approve), .answer("p1", .approve),
                .answer("p1", .deny), .list(.notifications),
            ]
        ),
        withToken(
            "A push is answered twice at once",
            [
                .enrol("babs"), .receive("p1", to: "babs"), .answer("p1", .approve, meanwhile: .approve),
                .list(.notifications),
            ]
        ),
        withToken(
            "A push is denied while it is being approved",
            [
                .enrol("babs"), .challenge("p1", to: "babs"), .answer("p1", .challenge, meanwhile: .deny),
                .list(.notifications),
            ]
        ),
        withToken(
            "An expired push is answered, and the server refuses",
            [
                .enrol("babs"), .receive("p1", to: "babs") { $0.ttl = 30 }, .advance(31), .list(.pending),
                .answer("p1", .approve), .list(.pending),
            ]
        ),
        withToken(
            "Any deny denies at a node behind the token store",
            settings: { $0.nodes = .tokenStore },
            [
                .enrol("babs"), .receive("p1", to: "babs"), .answer("p1", .approve),
                .challenge("p2", to: "babs"), .answer("p2", .challenge), .biometric("p3", to: "babs"),
                .answer("p3", .biometric), .receive("p4", to: "babs"), .answer("p4", .deny),
            ]
        ),
        withToken(
            "Only the cookie leads to the node that sent the push",
            settings: { $0.nodes = .balanced },
            [
                .enrol("babs"), .receive("p1", to: "babs"), .receive("p2", to: "babs"),
                .answer("p2", .approve), .answer("p1", .approve),
            ]
        ),
        withToken(
            "A push without a cookie reaches another node",
            settings: { $0.nodes = .balanced },
            [
                .enrol("babs"), .receive("p1", to: "babs") { $0.claims = ["l": .null] },
                .answer("p1", .approve),
                .list(.pending),
            ]
        ),
    ]
}
