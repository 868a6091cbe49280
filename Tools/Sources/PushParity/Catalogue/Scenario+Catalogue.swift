extension Scenario {
    /// The scenarios that come with the bridge, which between them touch every rule of both APIs.
    public static let catalogue: [Scenario] =
        enrolling + receiving + answering + failing + policies + tokens + accounts + phones + codes
        + processes

    /// A scenario whose device has a token.
    static func withToken(
        _ name: String,
        settings: (inout ScenarioSettings) -> Void = { _ in },
        _ steps: [Step]
    ) -> Scenario {
        var all = ScenarioSettings()
        settings(&all)
        return Scenario(name, settings: all, steps: [.token("0a1b2c")] + steps)
    }
}

extension Scenario {
    static let accounts: [Scenario] = [
        withToken(
            "An account is renamed",
            [
                .enrol("babs"), .rename("babs", issuer: "My bank", account: "Me"), .list(.credentials),
                .receive("p1", to: "babs"), .answer("p1", .approve), .rename("babs", issuer: "Bank"),
                .list(.credentials),
            ]
        ),
        withToken(
            "A credential is deleted with its notifications",
            [
                .enrol("babs"), .enrol("scarter"), .receive("p1", to: "babs"), .receive("p2", to: "scarter"),
                .deleteCredential("babs"), .list(.credentials), .list(.notifications),
                .answer("p1", .approve),
                .answer("p2", .approve), .deleteCredential("babs"),
            ]
        ),
        withToken(
            "An account is deleted with all that is in it",
            [
                .enrol("babs"), .enrol("scarter"), .receive("p1", to: "babs"), .deleteAccount("babs"),
                .list(.credentials), .list(.notifications), .token("ff00"), .deleteAccount("babs"),
            ]
        ),
        withToken(
            "A push comes for a deleted credential",
            [
                .enrol("babs"), .receive("p1", to: "babs"), .deleteCredential("babs"), .receiveAgain("p1"),
                .receive("p2", to: "babs"), .list(.notifications),
            ]
        ),
        withToken(
            "A deleted credential is enrolled again",
            settings: { $0.severalDevices = true },
            [
                .enrol("babs"), .deleteCredential("babs"), .enrol("new") { $0.account = "babs" },
                .list(.credentials),
            ]
        ),
        withToken(
            "An account without credentials is deleted",
            [.enrol("babs"), .deleteCredential("babs"), .deleteAccount("babs"), .list(.credentials)]
        ),
        withToken(
            "An answered push is answered again after its credential is deleted",
            [
                .enrol("babs"), .receive("p1", to: "babs"), .answer("p1", .approve),
                .deleteCredential("babs"), .answer("p1", .approve),
            ]
        ),
        withToken(
            "A notification is deleted",
            [
                .enrol("babs"), .receive("p1", to: "babs"), .receive("p2", to: "babs"),
                .deleteNotification("p1"), .list(.notifications), .answer("p2", .deny),
            ]
        ),
        withToken(
            "A deleted notification is answered",
            [.enrol("babs"), .receive("p1", to: "babs"), .deleteNotification("p1"), .answer("p1", .approve)]
        ),
        withToken(
            "A server forgets one device of two",
            [
                .enrol("babs"), .enrol("scarter"), .forget("babs"), .token("ff00"), .token("ff00"),
                .receive("p1", to: "scarter"), .answer("p1", .approve),
            ]
        ),
        withToken(
            "A server fails for the second device of three",
            [
                .enrol("babs"), .enrol("scarter"), .enrol("bjensen"),
                .fault(.dropConnection, credential: "scarter"), .token("ff00"), .token("ff00"),
                .receive("p1", to: "bjensen"), .answer("p1", .approve),
            ]
        ),
        withToken(
            "Two accounts share a legacy key",
            [
                .enrol("one") {
                    $0.issuer = "A-B"
                    $0.account = "C"
                },
                .enrol("other") {
                    $0.issuer = "A"
                    $0.account = "B-C"
                },
                .list(.credentials), .rename("other", issuer: "Other"), .receive("p1", to: "one"),
                .receive("p2", to: "other"), .answer("p1", .approve), .answer("p2", .deny),
                .deleteAccount("other"), .list(.credentials), .list(.notifications), .token("ff00"),
            ]
        ),
        withToken(
            "Accounts are listed in the order of their enrolment",
            [
                .enrol("zoe"), .advance(1), .enrol("adam"), .advance(1),
                .enrol("mia") { $0.issuer = "Aardvark" },
                .list(.credentials),
            ]
        ),
    ]
}

extension Scenario {
    /// One user with two phones: servers keep one profile.
    static let phones: [Scenario] = [
        withToken(
            "A second phone takes the place of the first",
            [
                .enrol("babs"), .enrol("scarter"), .receive("p1", to: "babs"), .enrolElsewhere("babs"),
                .answer("p1", .approve), .receive("p2", to: "babs"), .token("ff00"), .list(.credentials),
                .token("ff00"), .receive("p3", to: "scarter"), .answer("p3", .approve),
            ]
        ),
        withToken(
            "A phone is enrolled again after a reset",
            [
                .enrol("babs"), .forget("babs"), .deleteCredential("babs"),
                .enrol("new") { $0.account = "babs" }, .list(.credentials),
                .receive("p1", to: "new"), .answer("p1", .approve), .token("ff00"),
            ]
        ),
        withToken(
            "A user with a phone gets no second code",
            [
                .enrol("babs"), .enrol("second") { $0.account = "babs" }, .list(.credentials),
                .receive("p1", to: "babs"), .answer("p1", .approve), .deleteCredential("babs"),
                .enrol("third") { $0.account = "babs" }, .list(.credentials),
            ]
        ),
    ]
}

extension Scenario {
    static let tokens: [Scenario] = [
        withToken(
            "The token does not change",
            [.enrol("babs"), .token("0a1b2c"), .token("0A1B2C"), .readToken]
        ),
        withToken(
            "The token changes, and every server is told",
            [.enrol("babs"), .enrol("scarter") { $0.userId = "scarter-1" }, .token("ff00"), .token("ff00")]
        ),
        withToken(
            "One server of two fails at the new token",
            [
                .enrol("babs"), .enrol("scarter"),
                .fault(.serverError, action: "refresh", credential: "babs"),
                .token("ff00"),
                .token("ff00"), .token("ff00"),
            ]
        ),
        withToken(
            "All servers fail at the new token, and it changes again",
            [
                .enrol("babs"), .enrol("scarter"), .fault(.dropConnection, times: 2, action: "refresh"),
                .token("ff00"), .token("ee11"), .token("ee11"),
            ]
        ),
        withToken(
            "The app sends the token and wants to know",
            [
                .enrol("babs"), .enrol("scarter"), .token("ff00", .text),
                .fault(.serverError, action: "refresh", credential: "babs"), .token("ee11", .text),
                .token("ee11", .text),
            ]
        ),
        withToken(
            "The app sends the token of one credential",
            [
                .enrol("babs"), .enrol("scarter"), .token("ff00", .text, credential: "babs"),
                .token("ff00", .text), .list(.credentials),
            ]
        ),
        Scenario(
            "The token comes before there is a credential",
            steps: [.readToken, .token("0a1b2c"), .readToken, .token("ff00", .text), .enrol("babs")]
        ),
        withToken("The token is empty", [.enrol("babs"), .token("", .text), .readToken]),
        withToken(
            "A credential enrolled after the token knows it",
            [.enrol("babs"), .token("ff00"), .enrol("scarter"), .token("ff00"), .deleteCredential("babs")]
        ),
        withToken("The app forgets the token", [.enrol("babs"), .clearToken, .readToken]),
        withToken(
            "The user's id is sent with the token",
            [.enrol("babs") { $0.userId = "babs-1" }, .token("ff00")]
        ),
    ]
}

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
                .enrol("babs"), .enrol("scarter"),
                .fault(.serverError, action: "refresh", credential: "babs"),
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
            settings: { $0.severalDevices = true },
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
