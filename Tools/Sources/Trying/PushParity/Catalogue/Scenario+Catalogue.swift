extension Scenario {
    /// The built-in scenarios.
    ///
    /// Together, they contain every kind of step, and show every registered divergence and equivalence between the
    /// APIs.
    public static let catalogue: [Scenario] =
        enrolling + receiving + answering + failing + policies + tokens + accounts + phones + codes
        + processes

    /// Returns a scenario whose device has a token.
    static func withToken(
        _ name: String,
        settings: (inout ScenarioSettings) -> Void = { _ in },
        _ steps: [Step]
    ) -> Scenario {
        var all = ScenarioSettings()
        settings(&all)
        return Scenario(name, settings: all, steps: [.token("0a1b2c")] + steps)
    }

    /// Returns a scenario whose device has a token and the credential `babs`.
    static func withCredential(
        _ name: String,
        settings: (inout ScenarioSettings) -> Void = { _ in },
        _ steps: [Step]
    ) -> Scenario {
        withToken(name, settings: settings, [.enrol("babs")] + steps)
    }

    /// Returns a scenario whose device has a token and the credential `babs`, and has received the push `p1`.
    static func withPush(
        _ name: String,
        settings: (inout ScenarioSettings) -> Void = { _ in },
        _ steps: [Step]
    ) -> Scenario {
        withCredential(name, settings: settings, [.receive("p1", to: "babs")] + steps)
    }
}

extension Scenario {
    static let accounts: [Scenario] = [
        withToken(
            "An account with one-time passwords is locked and unlocked",
            [
                .enrol("babs") { $0.oath = "totp" }, .lock("babs", policy: "biometricAvailable"),
                .code("babs"), .unlock("babs"), .code("babs"),
            ]
        ),
        withCredential(
            "An account is renamed",
            [
                .rename("babs", issuer: "My bank", account: "Me"), .list(.credentials),
                .receive("p1", to: "babs"), .answer("p1", .approve), .rename("babs", issuer: "Bank"),
                .list(.credentials),
            ]
        ),
        withCredential(
            "A credential is deleted with its notifications",
            [
                .enrol("scarter"), .receive("p1", to: "babs"), .receive("p2", to: "scarter"),
                .deleteCredential("babs"), .list(.credentials), .list(.notifications),
                .answer("p1", .approve), .answer("p2", .approve), .deleteCredential("babs"),
            ]
        ),
        withCredential(
            "An account is deleted with all its records",
            [
                .enrol("scarter"), .receive("p1", to: "babs"), .deleteAccount("babs"), .list(.credentials),
                .list(.notifications), .token("ff00"), .deleteAccount("babs"),
            ]
        ),
        withPush(
            "A push arrives for a deleted credential",
            [
                .deleteCredential("babs"), .receiveAgain("p1"), .receive("p2", to: "babs"),
                .list(.notifications),
            ]
        ),
        withCredential(
            "A deleted credential is enrolled again",
            settings: { $0.severalDevices = true },
            [.deleteCredential("babs"), .enrol("new") { $0.account = "babs" }, .list(.credentials)]
        ),
        withCredential(
            "An account without credentials is deleted",
            [.deleteCredential("babs"), .deleteAccount("babs"), .list(.credentials)]
        ),
        withPush(
            "An answered push is answered again after its credential is deleted",
            [.answer("p1", .approve), .deleteCredential("babs"), .answer("p1", .approve)]
        ),
        withPush(
            "A notification is deleted",
            [
                .receive("p2", to: "babs"), .deleteNotification("p1"), .list(.notifications),
                .answer("p2", .deny),
            ]
        ),
        withPush("A deleted notification is answered", [.deleteNotification("p1"), .answer("p1", .approve)]),
        withCredential(
            "A server forgets one device of two",
            [
                .enrol("scarter"), .forget("babs"), .token("ff00"), .token("ff00"),
                .receive("p1", to: "scarter"), .answer("p1", .approve),
            ]
        ),
        withCredential(
            "A server fails for the second device of three",
            [
                .enrol("scarter"), .enrol("bjensen"), .fault(.dropConnection, credential: "scarter"),
                .token("ff00"), .token("ff00"), .receive("p1", to: "bjensen"), .answer("p1", .approve),
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
                .enrol("mia") { $0.issuer = "Aardvark" }, .list(.credentials),
            ]
        ),
    ]
}

extension Scenario {
    /// The scenarios of a user with two phones.
    ///
    /// In these scenarios, servers store only one profile per user.
    static let phones: [Scenario] = [
        withCredential(
            "A second phone replaces the first",
            [
                .enrol("scarter"), .receive("p1", to: "babs"), .enrolElsewhere("babs"),
                .answer("p1", .approve), .receive("p2", to: "babs"), .token("ff00"), .list(.credentials),
                .token("ff00"), .receive("p3", to: "scarter"), .answer("p3", .approve),
            ]
        ),
        withCredential(
            "A phone is enrolled again after a reset",
            [
                .forget("babs"), .deleteCredential("babs"), .enrol("new") { $0.account = "babs" },
                .list(.credentials), .receive("p1", to: "new"), .answer("p1", .approve), .token("ff00"),
            ]
        ),
        withCredential(
            "A user who has a registered phone gets no second code",
            [
                .enrol("second") { $0.account = "babs" }, .list(.credentials), .receive("p1", to: "babs"),
                .answer("p1", .approve), .deleteCredential("babs"), .enrol("third") { $0.account = "babs" },
                .list(.credentials),
            ]
        ),
    ]
}

extension Scenario {
    static let tokens: [Scenario] = [
        withCredential("The token does not change", [.token("0a1b2c"), .token("0A1B2C"), .readToken]),
        withCredential(
            "The token changes, and every server receives it",
            [.enrol("scarter") { $0.userId = "scarter-1" }, .token("ff00"), .token("ff00")]
        ),
        withCredential(
            "One server of two rejects the new token",
            [
                .enrol("scarter"), .fault(.serverError, action: "refresh", credential: "babs"),
                .token("ff00"), .token("ff00"), .token("ff00"),
            ]
        ),
        withCredential(
            "No server receives the new token, and the token changes again",
            [
                .enrol("scarter"), .fault(.dropConnection, times: 2, action: "refresh"), .token("ff00"),
                .token("ee11"), .token("ee11"),
            ]
        ),
        withCredential(
            "The app sends the token and waits",
            [
                .enrol("scarter"), .token("ff00", .text),
                .fault(.serverError, action: "refresh", credential: "babs"), .token("ee11", .text),
                .token("ee11", .text),
            ]
        ),
        withCredential(
            "The app sends the token of one credential",
            [
                .enrol("scarter"), .token("ff00", .text, credential: "babs"), .token("ff00", .text),
                .list(.credentials),
            ]
        ),
        Scenario(
            "The token arrives before the first credential",
            steps: [.readToken, .token("0a1b2c"), .readToken, .token("ff00", .text), .enrol("babs")]
        ),
        withCredential("The token is empty", [.token("", .text), .readToken]),
        withCredential(
            "A credential is enrolled after the app has set a token",
            [.token("ff00"), .enrol("scarter"), .token("ff00"), .deleteCredential("babs")]
        ),
        withCredential("The app forgets the token", [.clearToken, .readToken]),
        withToken(
            "The user's id is sent with the token",
            [.enrol("babs") { $0.userId = "babs-1" }, .token("ff00")]
        ),
    ]
}

extension Scenario {
    static let processes: [Scenario] = [
        withCredential(
            "The process restarts between receiving and answering",
            settings: { $0.store = .sqlite },
            [
                .challenge("p1", to: "babs"), .restart, .list(.pending), .answer("p1", .challenge), .restart,
                .list(.notifications), .receiveAgain("p1"),
            ]
        ),
        withPush(
            "The process restarts after an answer failed",
            settings: { $0.store = .sqlite },
            [
                .fault(.dropConnection), .answer("p1", .approve), .restart, .answer("p1", .approve),
                .list(.notifications),
            ]
        ),
        withCredential(
            "The process restarts before a server received the token",
            settings: { $0.store = .sqlite },
            [
                .enrol("scarter"), .fault(.serverError, action: "refresh", credential: "babs"),
                .token("ff00"), .restart, .readToken, .token("ff00"),
            ]
        ),
        Scenario(
            "A legacy store is migrated, and its credential is used",
            steps: [
                .migrate("babs") { $0.token = "0A1B2C" }, .list(.credentials), .receive("p1", to: "babs"),
                .answer("p1", .approve), .token("0a1b2c"), .token("ff00"),
            ]
        ),
        Scenario(
            "A push that arrived before the migration is answered afterwards",
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
            "A legacy store is migrated after an enrolment",
            [
                .enrol("scarter"), .receive("p1", to: "scarter"),
                .migrate("babs") { $0.displayIssuer = "My bank" }, .receive("p2", to: "babs"),
                .answer("p1", .approve), .answer("p2", .deny), .token("ff00"), .list(.credentials),
            ]
        ),
        withToken(
            "A legacy secret in standard base64 signs answers",
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
        withPush(
            "The client is closed",
            [.close, .close, .list(.pending), .list(.credentials), .restart, .answer("p1", .approve)]
        ),
    ]
}
