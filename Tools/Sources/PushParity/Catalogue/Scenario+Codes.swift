extension Scenario {
    static let codes: [Scenario] = [
        Scenario(
            "A time-based one-time password is scanned and shown",
            steps: [
                scan("babs", "totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example&digits=8&period=60"),
                .code("babs"), .advance(61), .code("babs"), .list(.oathCredentials), .list(.credentials),
            ]
        ),
        Scenario(
            "A counter moves on with every code, also over a restart",
            settings: onDisk,
            steps: [
                scan("babs", "hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example&counter=41"),
                .code("babs"), .code("babs"), .restart, .code("babs"),
            ]
        ),
        Scenario(
            "Codes are made with every hash function",
            steps: ["sha1", "SHA224", "sha256", "Sha384", "sha512"].flatMap { name in
                [
                    scan(
                        name,
                        "totp/Example:\(name)?secret=JBSWY3DPEHPK3PXP&issuer=Example&algorithm=\(name)"
                    ),
                    .code(name),
                ]
            }
        ),
        Scenario(
            "MD5 makes no code every now and then",
            steps: [
                scan("babs", "totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example&algorithm=md5"),
                .code("babs"), .advance(30), .code("babs"), .advance(30), .code("babs"),
            ]
        ),
        Scenario(
            "One-time-password codes make no sense",
            steps: [
                scan("none", "totp/Example:none?issuer=Example"),
                scan("secret", "totp/Example:secret?secret=1&issuer=Example"),
                scan("digits", "totp/Example:digits?secret=JBSWY3DPEHPK3PXP&digits=9"),
                scan("period", "totp/Example:period?secret=JBSWY3DPEHPK3PXP&period=0"),
                scan("counter", "hotp/Example:counter?secret=JBSWY3DPEHPK3PXP&counter=-1"),
                .list(.oathCredentials),
            ]
        ),
        Scenario(
            "A one-time password is scanned twice",
            steps: [
                scan("babs", "totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"),
                scan("again", "totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example"),
                .list(.oathCredentials),
            ]
        ),
        withToken(
            "One code makes push and a one-time password",
            [
                .enrol("babs") { $0.oath = "hotp" }, .code("babs"), .receive("p1", to: "babs"),
                .answer("p1", .approve), .list(.credentials), .list(.oathCredentials), .code("babs"),
            ]
        ),
        withToken(
            "The server refuses a code of both kinds",
            [.fault(.refusal), .enrol("babs") { $0.oath = "totp" }, .list(.oathCredentials)]
        ),
        withToken(
            "A policy refuses a code of both kinds",
            settings: { $0.policies = true },
            [
                .device(biometrics: false),
                .enrol("babs") {
                    $0.oath = "totp"
                    $0.policies = #"{"biometricAvailable":{}}"#
                },
                .list(.credentials), .list(.oathCredentials),
            ]
        ),
        withToken(
            "A locked account shows no code",
            settings: { $0.policies = true },
            [
                .enrol("babs") {
                    $0.oath = "totp"
                    $0.policies = #"{"biometricAvailable":{}}"#
                },
                .device(biometrics: false), .code("babs"), .device(biometrics: true), .code("babs"),
            ]
        ),
        withToken(
            "A name given to an account is that of all its credentials",
            [
                .enrol("babs") { $0.oath = "totp" }, .rename("babs", issuer: "My bank"),
                .list(.oathCredentials),
                .deleteAccount("babs"), .list(.credentials), .list(.oathCredentials),
            ]
        ),
    ]

    private static func scan(_ name: String, _ code: String) -> Step {
        .enrol(name) { $0.text = "otpauth://\(code)" }
    }

    private static var onDisk: ScenarioSettings {
        var settings = ScenarioSettings()
        settings.store = .sqlite
        return settings
    }
}
