extension Scenario {
    static let enrolling: [Scenario] = [
        withCredential("A code is scanned", [.list(.credentials)]),
        withToken(
            "A code contains every parameter",
            [
                .enrol("babs") {
                    $0.issuer = "Büro & Söhne: 100%"
                    $0.account = "babs:work@example.com"
                    $0.imageURL = "https://example.com/logo.png?size=2"
                    $0.backgroundColor = "032b75"
                    $0.userId = "babs-1"
                    $0.resourceId = "device-7"
                    $0.policies = #"{"biometricAvailable":{},"deviceTampering":{"score":0.8}}"#
                },
                .list(.credentials),
            ]
        ),
        withPush(
            "Codes spell addresses in full",
            settings: { $0.addresses = .full },
            [.answer("p1", .approve)]
        ),
        withPush(
            "Codes name the realm in the query",
            settings: { $0.addresses = .query },
            [.answer("p1", .approve), .token("ff00")]
        ),
        withToken(
            "A code belongs to the root realm",
            [.enrol("babs") { $0.realm = "/" }, .receive("p1", to: "babs"), .answer("p1", .deny)]
        ),
        withToken(
            "An older server encodes the values of a code in standard base64",
            [
                .enrol("babs") { $0.standardBase64 = true }, .receive("p1", to: "babs"),
                .answer("p1", .approve),
            ]
        ),
        withToken(
            "A newer server sends the user's id in the parameter d",
            [.enrol("babs") { $0.parameters = ["d": "YmFicw"] }, .token("ff00"), .list(.credentials)]
        ),
        withToken(
            "Required parameters are missing",
            ["s", "c", "r", "a", "m"].map { name in
                .enrol("without-\(name)") { $0.parameters = [name: nil] }
            } + [.list(.credentials)]
        ),
        withToken(
            "Registration parameters are invalid",
            [
                .enrol("secret") { $0.parameters = ["s": "!"] },
                .enrol("challenge") { $0.parameters = ["c": "?"] },
                .enrol("address") { $0.parameters = ["r": "bm93aGVyZQ"] },
                .enrol("policies") { $0.parameters = ["policies": "!"] },
                .enrol("cookie") { $0.parameters = ["l": "YQpi"] }, .list(.credentials),
            ]
        ),
        withToken(
            "The scanned text is not a code",
            [
                .enrol("text") { $0.text = "hello" }, .enrol("empty") { $0.text = "" },
                .enrol("web") { $0.text = "https://example.com/a?b=c" },
                .enrol("kind") { $0.text = "pushauth://totp/a:b?s=AAAA" },
                .enrol("unknown") { $0.text = "pushauth://sms/a:b?s=AAAA" }, .list(.credentials),
            ]
        ),
        Scenario(
            "A code is scanned before the app has a token",
            steps: [
                .enrol("babs"), .list(.credentials), .token("0a1b2c"), .enrol("babs2") { $0.again = "babs" },
            ]
        ),
        withCredential(
            "A code is scanned twice",
            [.enrol("again") { $0.again = "babs" }, .list(.credentials)]
        ),
        withCredential(
            "An account is enrolled again with a new secret",
            settings: { $0.severalDevices = true },
            [.enrol("new") { $0.account = "babs" }, .list(.credentials)]
        ),
        withToken(
            "A code is too old",
            [.enrol("first"), .forget("first"), .advance(121), .enrol("late") { $0.again = "first" }]
        ),
        withToken(
            "The server refuses a registration, and accepts it later",
            [
                .fault(.refusal), .enrol("babs"), .list(.credentials), .enrol("again") { $0.again = "babs" },
                .list(.credentials),
            ]
        ),
        withToken(
            "The server fails during a registration",
            [
                .fault(.serverError), .enrol("babs"), .fault(.dropConnection),
                .enrol("again") { $0.again = "babs" }, .fault(.redirect),
                .enrol("third") { $0.again = "babs" }, .list(.credentials),
            ]
        ),
        withToken(
            "The server accepts a registration, and the body of its response is not JSON",
            [.fault(.garbageBody), .enrol("babs"), .list(.credentials)]
        ),
        withToken(
            "The response to a registration is lost",
            [
                .fault(.loseResponse), .enrol("babs"), .enrol("again") { $0.again = "babs" },
                .list(.credentials),
            ]
        ),
        withCredential(
            "The server that the cookie names registers the device",
            settings: { $0.nodes = .balanced },
            [
                .enrol("scarter"), .receive("p1", to: "scarter"), .answer("p1", .approve),
                .receive("p2", to: "babs"), .answer("p2", .deny), .token("ff00"),
            ]
        ),
    ]
}

extension Scenario {
    static let codes: [Scenario] = [
        Scenario(
            "A code for TOTP is scanned, and passwords are shown",
            steps: [
                scan("babs", "totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example&digits=8&period=60"),
                .code("babs"), .advance(61), .code("babs"), .list(.oathCredentials), .list(.credentials),
            ]
        ),
        Scenario(
            "A counter increases with every one-time password, even after a restart",
            settings: onDisk,
            steps: [
                scan("babs", "hotp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example&counter=41"),
                .code("babs"), .code("babs"), .restart, .code("babs"),
            ]
        ),
        Scenario(
            "One-time passwords are made with every hash function",
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
            "With MD5, some counters have no one-time password",
            steps: [
                scan("babs", "totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example&algorithm=md5"),
                .code("babs"), .advance(30), .code("babs"), .advance(30), .code("babs"),
            ]
        ),
        Scenario(
            "Codes for one-time passwords are invalid",
            steps: [
                scan("none", "totp/Example:none?issuer=Example"),
                scan("secret", "totp/Example:secret?secret=1&issuer=Example"),
                scan("hash", "totp/Example:hash?secret=JBSWY3DPEHPK3PXP&algorithm=sha3"),
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
            "One code enrols push and a one-time password",
            [
                .enrol("babs") { $0.oath = "hotp" }, .code("babs"), .receive("p1", to: "babs"),
                .answer("p1", .approve), .list(.credentials), .list(.oathCredentials), .code("babs"),
            ]
        ),
        withToken(
            "The server refuses a combined code",
            [.fault(.refusal), .enrol("babs") { $0.oath = "totp" }, .list(.oathCredentials)]
        ),
        withToken(
            "A policy refuses a combined code",
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
            "A locked account shows no one-time password",
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
            "A new name of an account applies to all its credentials",
            [
                .enrol("babs") { $0.oath = "totp" }, .rename("babs", issuer: "My bank"),
                .list(.oathCredentials), .deleteAccount("babs"), .list(.credentials), .list(.oathCredentials),
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
