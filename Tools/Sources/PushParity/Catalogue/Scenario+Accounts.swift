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
