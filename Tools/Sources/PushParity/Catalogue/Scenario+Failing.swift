extension Scenario {
    static let failing: [Scenario] =
        [
            Step.FaultOrder.Kind.dropConnection, .refusal, .serverError, .redirect,
        ].map { kind in
            withToken(
                "An answer meets \(kind.rawValue) and is given again",
                [
                    .enrol("babs"), .receive("p1", to: "babs"), .fault(kind), .answer("p1", .approve),
                    .list(.pending), .answer("p1", .approve), .list(.notifications),
                ]
            )
        } + [
            withToken(
                "The response to an answer is lost, and the answer given again",
                [
                    .enrol("babs"), .receive("p1", to: "babs"), .fault(.loseResponse), .answer("p1", .deny),
                    .list(.pending), .answer("p1", .deny), .list(.pending),
                ]
            ),
            withToken(
                "An answer is accepted with a body that is no JSON",
                [
                    .enrol("babs"), .receive("p1", to: "babs"), .fault(.garbageBody), .answer("p1", .approve),
                    .list(.notifications),
                ]
            ),
            withToken(
                "An answer takes its time",
                [.enrol("babs"), .receive("p1", to: "babs"), .fault(.delay), .answer("p1", .approve)]
            ),
            withToken(
                "After a failure the user changes her mind",
                [
                    .enrol("babs"), .challenge("p1", to: "babs"), .fault(.serverError),
                    .answer("p1", .challenge), .answer("p1", .deny), .list(.notifications),
                ]
            ),
            withToken(
                "The server forgot the device",
                [
                    .enrol("babs"), .receive("p1", to: "babs"), .forget("babs"), .answer("p1", .approve),
                    .token("ff00"), .list(.pending),
                ]
            ),
            withToken(
                "An answer fails while another one is tried",
                [
                    .enrol("babs"), .receive("p1", to: "babs"), .fault(.refusal),
                    .answer("p1", .approve, meanwhile: .deny), .answer("p1", .deny), .list(.notifications),
                ]
            ),
        ]
}
