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
            "One server of two refuses the new token",
            [
                .enrol("babs"), .enrol("scarter"), .fault(.refusal, action: "refresh", credential: "babs"),
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
