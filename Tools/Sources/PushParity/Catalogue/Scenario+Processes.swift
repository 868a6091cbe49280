extension Scenario {
    static let processes: [Scenario] = [
        withToken(
            "The process restarts between receiving and answering",
            settings: { $0.store = .sqlite },
            [
                .enrol("babs"), .challenge("p1", to: "babs"), .restart, .list(.pending),
                .answer("p1", .challenge), .restart, .list(.notifications), .receiveAgain("p1"),
            ]
        ),
        withToken(
            "The process restarts after an answer failed",
            settings: { $0.store = .sqlite },
            [
                .enrol("babs"), .receive("p1", to: "babs"), .fault(.dropConnection), .answer("p1", .approve),
                .restart, .answer("p1", .approve), .list(.notifications),
            ]
        ),
        withToken(
            "The process restarts while a server is owed the token",
            settings: { $0.store = .sqlite },
            [
                .enrol("babs"), .enrol("scarter"), .fault(.refusal, action: "refresh", credential: "babs"),
                .token("ff00"),
                .restart, .readToken, .token("ff00"),
            ]
        ),
        Scenario(
            "A legacy store is migrated, and its credential used",
            steps: [
                .migrate("babs") { $0.token = "0A1B2C" }, .list(.credentials), .receive("p1", to: "babs"),
                .answer("p1", .approve), .token("0a1b2c"), .token("ff00"),
            ]
        ),
        Scenario(
            "A push that came before the migration is answered after it",
            steps: [
                .migrate("babs") { migrate in
                    migrate.push = "p1"
                    migrate.token = "0A1B2C"
                },
                .list(.pending), .receiveAgain("p1"), .answer("p1", .approve), .answer("p1", .deny),
                .list(.notifications),
            ]
        ),
        withToken(
            "A legacy store is migrated in the middle",
            [
                .enrol("scarter"), .receive("p1", to: "scarter"),
                .migrate("babs") { $0.displayIssuer = "My bank" }, .receive("p2", to: "babs"),
                .answer("p1", .approve), .answer("p2", .deny), .token("ff00"), .list(.credentials),
            ]
        ),
        withToken(
            "A legacy secret in standard base64 signs as well",
            [
                .migrate("babs") { $0.standardBase64 = true }, .challenge("p1", to: "babs"),
                .answer("p1", .challenge),
            ]
        ),
        withToken(
            "A migrated account is scanned again",
            [.migrate("babs"), .enrol("again") { $0.account = "babs" }, .list(.credentials)]
        ),
        withToken(
            "The client is closed",
            [
                .enrol("babs"), .receive("p1", to: "babs"), .close, .close, .list(.pending),
                .list(.credentials), .restart, .answer("p1", .approve),
            ]
        ),
    ]
}
