import Foundation
import PushBridgeCore
import Testing

@Suite struct PushRegistrationTests {
    private static let secret = "5GuioYhLlh-xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg"
    private static let challenge = "KP0XQfZ21N_jsXP_xfVQMmsmoUiWvdDPWecHdb5_INQ"
    private static let registration = "https://am.example.com/am/json/push?realm=/a&_action=register"
    private static let authentication = "https://auth.example.com/json/push?_action=authenticate"

    private static func encoded(_ text: String) -> String { Base64.encodeURLSafe(text.utf8) }

    private static func standardAlphabet(_ text: String) -> String {
        text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    }

    private static let parameters = [
        "s": secret, "c": challenge, "m": "REGISTER:1",
        "r": encoded(registration), "a": encoded(authentication),
    ]

    private static func uri(
        _ parameters: [String: String] = parameters,
        address: String = "pushauth://push/forgerock:demo"
    ) -> String {
        address + "?" + parameters.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "&")
    }

    private static func registration(
        issuer: String = "forgerock",
        account: String = "demo"
    ) throws -> PushRegistration {
        PushRegistration(
            account: AccountProfile(issuer: issuer, accountName: account),
            endpoints: try #require(
                PushEndpoints(registration: registration, authentication: authentication)
            ),
            sharedSecret: try #require(SharedSecret(base64: secret)),
            challenge: try #require(Base64.decode(challenge)),
            messageId: "REGISTER:1"
        )
    }

    @Test func requiredParametersAreEnough() throws {
        #expect(try PushRegistration(uri: Self.uri()) == Self.registration())
    }

    @Test func allParametersAreRead() throws {
        var parameters = Self.parameters
        parameters["l"] = Self.encoded("amlbcookie=01")
        parameters["issuer"] = Self.encoded("Société")
        parameters["b"] = "032b75"
        parameters["image"] = Self.encoded("https://example.com/logo.png")
        parameters["policies"] = Self.encoded(#"{"biometricAvailable":{}}"#)
        parameters["uid"] = Self.encoded("id=demo,ou=user")
        parameters["pid"] = Self.encoded("device-1")
        var expected = try Self.registration(issuer: "Société")
        expected.loadBalancer = "amlbcookie=01"
        expected.account.backgroundColor = "032b75"
        expected.account.imageURL = "https://example.com/logo.png"
        expected.account.policies = #"{"biometricAvailable":{}}"#
        expected.userId = "id=demo,ou=user"
        expected.deviceResourceId = "device-1"
        #expect(try PushRegistration(uri: Self.uri(parameters)) == expected)
        #expect(try PushRegistration(uri: expected.uri()) == expected)
        #expect(try PushRegistration(uri: expected.uri(labelIssuer: "forgerock")) == expected)
    }

    @Test func theUserIdCanBeInTheParameterD() throws {
        var parameters = Self.parameters
        parameters["d"] = Self.encoded("id=demo")
        #expect(try PushRegistration(uri: Self.uri(parameters)).userId == "id=demo")
    }

    @Test(arguments: ["s", "c", "m", "r", "a"])
    func aCodeWithoutARequiredParameterIsRejected(_ name: String) {
        var parameters = Self.parameters
        parameters[name] = nil
        #expect(throws: RegistrationURIError.missing(parameter: name)) {
            try PushRegistration(uri: Self.uri(parameters))
        }
        parameters[name] = ""
        #expect(throws: RegistrationURIError.missing(parameter: name)) {
            try PushRegistration(uri: Self.uri(parameters))
        }
    }

    @Test(arguments: ["s", "c", "r", "a", "policies"])
    func essentialParametersThatCannotBeDecodedAreRejected(_ name: String) {
        for value in ["!", "A", "%FF"] {
            var parameters = Self.parameters
            parameters[name] = value
            #expect(throws: RegistrationURIError.invalid(parameter: name)) {
                try PushRegistration(uri: Self.uri(parameters))
            }
        }
    }

    /// If the value of an optional parameter is not base64, the legacy API ignores the parameter.
    ///
    /// The async API uses the value unchanged, but ignores a load balancer without `=`.
    @Test(arguments: ["A", "demo@example.com", "lb=%FF"])
    func anOptionalParameterThatIsNotBase64IsUsedUnchangedOrIgnored(_ value: String) throws {
        var parameters = Self.parameters
        for name in ["l", "uid", "pid", "image"] { parameters[name] = value }
        let uri = Self.uri(parameters)
        let taken = try PushRegistration(uri: uri)
        #expect([taken.userId, taken.deviceResourceId, taken.account.imageURL] == [value, value, value])
        #expect(taken.loadBalancer == (value.contains("=") ? value : nil))
        guard case .push(let push) = try RegistrationURI(uri, readsAsSuccessor: false) else {
            Issue.record("The code is not read as a push registration.")
            return
        }
        #expect(push == (try Self.registration()))
        #expect(try RegistrationURI.ignoredParameters(of: uri) == ["l", "uid", "pid"])
        #expect(try RegistrationURI.ignoredParameters(of: Self.uri()) == [])
    }

    @Test(arguments: [
        (encoded("Société"), "Société"), ("Forge%20Rock!", "Forge Rock!"), ("Example", "Example"),
        ("A", "A"), ("%3F!", "forgerock"), ("", "forgerock"),
    ])
    func anIssuerMayBePlainText(_ value: String, _ issuer: String) throws {
        var parameters = Self.parameters
        parameters["issuer"] = value
        for readsAsSuccessor in [true, false] {
            let code = try RegistrationURI(Self.uri(parameters), readsAsSuccessor: readsAsSuccessor)
            #expect(code.account.issuer == issuer)
        }
    }

    @Test func anImageMayBePlainText() throws {
        var parameters = Self.parameters
        parameters["image"] = "https://a.example/logo.png?x=1"
        for readsAsSuccessor in [true, false] {
            let code = try RegistrationURI(Self.uri(parameters), readsAsSuccessor: readsAsSuccessor)
            #expect(code.account.imageURL == "https://a.example/logo.png?x=1")
        }
    }

    @Test(arguments: ["nowhere", "file://host/x", "https://", "javascript:alert(1)"])
    func endpointsMustBeWebAddresses(_ address: String) {
        var parameters = Self.parameters
        parameters["a"] = Self.encoded(address)
        #expect(throws: RegistrationURIError.notAnAddress(parameter: "a")) {
            try PushRegistration(uri: Self.uri(parameters))
        }
    }

    @Test func aCookieWithALineBreakIsIgnored() throws {
        var parameters = Self.parameters
        parameters["l"] = Self.encoded("lb=1\r\nX-Evil: 1")
        #expect(try PushRegistration(uri: Self.uri(parameters)).loadBalancer == nil)
        #expect(try RegistrationURI.ignoredParameters(of: Self.uri(parameters)) == ["l"])
    }

    @Test func aSecretOfMoreThan1024CharactersIsRefused() throws {
        var parameters = Self.parameters
        parameters["s"] = String(repeating: "A", count: 1024)
        _ = try PushRegistration(uri: Self.uri(parameters))
        parameters["s"] = String(repeating: "A", count: 1028)
        #expect(throws: RegistrationURIError.invalid(parameter: "s")) {
            try PushRegistration(uri: Self.uri(parameters))
        }
    }

    @Test(arguments: [
        "A:b%00", "A:b%0A", "A%1B:b", "A:%E2%80%AEb", "A%E2%81%A6:b", "A:%E2%80%8Fb", "A:../b", "..:b",
        "A:%3Cb%3E", "%3Cscript:b", "A:b%C2%85", "A:b%E2%80%A8",
    ])
    func aLabelThatMayDeceiveIsRefused(_ label: String) {
        for address in ["pushauth://push/\(label)", "mfauth://totp/\(label)"] {
            #expect(throws: RegistrationURIError.invalid(parameter: "label")) {
                try PushRegistration(uri: Self.uri(address: address))
            }
        }
        #expect(throws: RegistrationURIError.invalid(parameter: "label")) {
            try OathRegistration(uri: "otpauth://totp/\(label)?secret=MZXW6YTB")
        }
    }

    @Test func anIssuerThatMayDeceiveIsRefused() {
        for issuer in ["A\u{202E}b", "<b>A", "A/../b"] {
            var parameters = Self.parameters
            parameters["issuer"] = Self.encoded(issuer)
            #expect(throws: RegistrationURIError.invalid(parameter: "label")) {
                try PushRegistration(uri: Self.uri(parameters))
            }
        }
    }

    @Test func bothBase64AlphabetsAreReadWithAndWithoutPadding() throws {
        let expected = try Self.registration()
        for padding in ["", "="] {
            for isStandard in [true, false] {
                var parameters = Self.parameters
                for name in ["s", "c"] {
                    let value = try #require(parameters[name]) + padding
                    parameters[name] = isStandard ? Self.standardAlphabet(value) : value
                }
                #expect(try PushRegistration(uri: Self.uri(parameters)) == expected)
            }
        }
    }

    @Test(arguments: [
        ("pushauth://push/forgerock:demo", "forgerock", "demo"),
        ("PUSHAUTH://PUSH/forgerock:demo", "forgerock", "demo"),
        ("pushauth://push/demo", "demo", "demo"),
        ("pushauth://push/:demo", "demo", "demo"),
        ("pushauth://push/A:", "A", "Untitled"),
        ("pushauth://push/A:b:c", "A", "b:c"),
        ("pushauth://push/A%3Ab%3Ac", "A", "b:c"),
        ("pushauth://push/A%3AB:c%3Ad", "A:B", "c:d"),
        ("pushauth://push/Forge%20Rock:100%25%2B1", "Forge Rock", "100%+1"),
        ("pushauth://push/Forge Rock:a+b@c.d", "Forge Rock", "a+b@c.d"),
        ("pushauth://push/日本:山田 太郎/x", "日本", "山田 太郎/x"),
        ("pushauth://push/%F0%9F%99%82:👩‍🚀", "🙂", "👩‍🚀"),
        ("pushauth://push/A:\u{301}b", "A", "\u{301}b"),
        (" \npushauth://push/A:b", "A", "b"),
        ("mfauth://totp/A:b", "A", "b"),
        ("mfauth://hotp/A:b", "A", "b"),
        ("MFAUTH://Push/A:b", "A", "b"),
    ])
    func theLabelIsSplitIntoIssuerAndAccountName(_ address: String, _ issuer: String, _ account: String)
        throws
    {
        let registration = try PushRegistration(uri: Self.uri(address: address))
        #expect(registration.account == AccountProfile(issuer: issuer, accountName: account))
    }

    @Test(arguments: [":", "a", "A:b", "A:B", "100%+ ", "日本/?&=#", "👩‍🚀", "a.b"])
    func registrationsWithAnyNameRoundTrip(_ name: String) throws {
        let registration = try Self.registration(issuer: name, account: name + "x")
        #expect(try PushRegistration(uri: registration.uri()) == registration)
    }

    @Test func theLastOfRepeatedParametersCounts() throws {
        #expect(try PushRegistration(uri: Self.uri() + "&m=REGISTER:2\n").messageId == "REGISTER:2")
    }

    @Test func aFragmentIsNotPartOfTheLastParameter() throws {
        #expect(try PushRegistration(uri: Self.uri() + "#fragment?m=X&s=Y") == Self.registration())
    }

    @Test(arguments: [
        ("Acme:demo", nil), ("Acme:demo:1", AccountKey(issuer: "Acme", accountName: "demo")),
        ("Acme:%3Ademo", nil), ("Acme:a%3Ab:c", AccountKey(issuer: "Acme", accountName: "a")),
    ])
    func theLegacyAccountEndsAtTheFirstColon(_ label: String, _ expected: AccountKey?) throws {
        let code = try RegistrationURI(Self.uri(address: "pushauth://push/\(label)"))
        #expect(code.legacyAccount == expected)
    }

    @Test func aPlusSignIsNotReadAsASpace() throws {
        #expect(try PushRegistration(uri: Self.uri() + "&b=a+b%2Bc").account.backgroundColor == "a+b+c")
    }

    @Test func theIssuerParameterHasPrecedenceOverTheLabel() throws {
        var parameters = Self.parameters
        parameters["issuer"] = Self.encoded("Acme")
        #expect(try PushRegistration(uri: Self.uri(parameters)).account.issuer == "Acme")
    }

    @Test(
        arguments: [
            ("", .malformed), ("pushauth:push", .malformed), ("otpauth://totp/A:b", .unsupported),
            ("pushauth://totp/A:b", .unsupported), ("mfauth://sms/A:b", .unsupported),
        ] as [(String, RegistrationURIError)]
    )
    func invalidRegistrationsAreRefused(_ address: String, _ error: RegistrationURIError) {
        #expect(throws: error) { try PushRegistration(uri: Self.uri(address: address)) }
    }

    @Test func aURIThatIsTooLongIsRefused() {
        let address = "pushauth://push/A:" + String(repeating: "b", count: 70_000)
        #expect(throws: RegistrationURIError.malformed) {
            try PushRegistration(uri: Self.uri(address: address))
        }
    }

    @Test func theCredentialContainsTheParametersForLaterRequests() throws {
        var registration = try Self.registration()
        registration.loadBalancer = "amlbcookie=01"
        registration.userId = "id=demo"
        registration.deviceResourceId = "device-1"
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let credential = registration.credential(id: "ID", createdAt: now)
        #expect(credential.id == "ID")
        #expect(credential.userId == "id=demo")
        #expect(credential.resourceId == "device-1")
        #expect(credential.registrationEndpoint == Self.registration)
        #expect(credential.legacyAccount == LegacyAccount(profile: registration.account, timeAdded: now))
        #expect(
            credential.legacy?.registration
                == LegacyRegistration(
                    messageId: "REGISTER:1",
                    challenge: SharedSecret(utf8: "KP0XQfZ21N/jsXP/xfVQMmsmoUiWvdDPWecHdb5/INQ="),
                    loadBalancer: "amlbcookie=01"
                )
        )
    }

    @Test func bothRegistrationsAreReadFromACombinedURI() throws {
        var push = try Self.registration(issuer: "Combined", account: "a:b c")
        push.account.policies = "{}"
        push.userId = "id=demo"
        var oath = OathRegistration(
            account: push.account,
            password: try OneTimePassword(secret: #require(SharedSecret(base32: "MZXW6YTB")), digits: 8),
            movingFactor: .time(period: 60)
        )
        oath.userId = "id=demo"
        oath.resourceId = "oath-1"
        let combined = RegistrationURI.combined(push, oath)
        #expect(combined.text.hasPrefix("mfauth://totp/Combined:a%3Ab%20c?"))
        #expect(try RegistrationURI(combined.text) == combined)
        #expect(try RegistrationURI(push.uri()) == .push(push))
        #expect(try RegistrationURI(oath.uri()) == .oath(oath))
        #expect(throws: RegistrationURIError.unsupported) { try RegistrationURI("http://totp/A:b") }
    }
}
