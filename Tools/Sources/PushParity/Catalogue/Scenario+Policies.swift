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
                .device(biometrics: false),
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# }, .list(.credentials),
            ]
        ),
        withToken(
            "Policies are not known, or no JSON",
            settings: { $0.policies = true },
            [
                .device(biometrics: false, tampering: 1),
                .enrol("babs") { $0.policies = #"{"moonPhase":{}}"# },
                .enrol("scarter") { $0.policies = "no JSON" }, .list(.credentials),
            ]
        ),
        withToken(
            "Nobody evaluates policies",
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
            "Reading unlocks an account that complies with the policy that locked it",
            settings: { $0.policies = true },
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# }, .receive("p1", to: "babs"),
                .lock("babs", policy: "biometricAvailable"), .list(.credentials), .answer("p1", .approve),
            ]
        ),
        withToken(
            "A policy that nobody knows locked an account, which is read",
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# },
                .lock("babs", policy: "biometricAvailable"), .list(.credentials),
            ]
        ),
        withToken(
            "Locks are set that make no sense",
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# },
                .unlock("babs"), .lock("babs", policy: "biometricAvailable"),
                .lock("babs", policy: "biometricAvailable"), .list(.credentials), .unlock("babs"),
                .lock("babs", policy: "moonPhase"),
            ]
        ),
        withToken(
            "A locked account still receives",
            [
                .enrol("babs") { $0.policies = #"{"biometricAvailable":{}}"# },
                .lock("babs", policy: "biometricAvailable"), .receive("p1", to: "babs"), .list(.pending),
                .token("ff00"),
            ]
        ),
    ]
}
