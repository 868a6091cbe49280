import Foundation
import PingOath
import PingPush
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// Reading and writing of registration URIs by the async API.
@Suite("Codes")
struct CodeTests {
    // `names` can be written in a code and read again; readers reject the names in `unfit`.
    private static let names = [
        "Example", "A:B", "Ünï çödé", "🙂", "a b+c&d=e?f#g/h%", "--", "日本語", "e\u{301}x", ":x", "x:", "100%25",
        "~._-", "a:b:c", "\"q\"", "QmFuaw", "QmFuaw==", "\u{301}accent", "babs@example.com", "a%3Ab", "'",
    ]
    private static let unfit = ["", "a\u{202E}b", "a\nb", "up..up", "<b>", "nul\u{0}"]
    private static let texts: [String?] = [
        nil, nil, "", "id=demo,ou=user", "dXNlcg", "dXNlcg==", "ü 🙂", "a:b", "{}", "\"", "%41",
    ]
    private static let images: [String?] = [
        nil, "", "https://a.example.com/logo.png?size=1&x=y#z", "abcd", "aHR0cHM6Ly9hLmIvYw", "no address",
    ]
    private static let policies: [String?] = [nil, "", "{}", #"{"deviceTampering":{"score":0.8}}"#, "[]"]
    private static let colours: [String?] = [nil, "", "#032b75", "032b75", "red"]
    private static let servers = [
        "https://am.example.com/push", "http://localhost:8080/json/push/sns/message?realm=/alpha",
        "https://am.example.com/am/json/alpha/push/sns/message?_action=register&x=%20",
    ]
    private static let keys = [
        "c2VjcmV0LXNlY3JldA==", "5GuioYhLlh-xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg", "+/+/+/+/",
    ]

    /// Returns a random name, and whether a code can contain it.
    private func name(_ random: inout SeededGenerator) -> (text: String, fits: Bool) {
        let isUnfit = random.below(20) == 0
        let names = isUnfit ? Self.unfit : Self.names
        return (names[random.below(names.count)], !isUnfit)
    }

    private func pick<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
        values[random.below(values.count)]
    }

    @Test func fiveThousandPushCredentialsAreReadAsTheyWereWritten() async throws {
        var random = SeededGenerator(seed: 13)
        var written = 0
        for _ in 0..<5_000 {
            let issuer = name(&random), account = name(&random)
            let made = PushCredential(
                userId: pick(Self.texts, &random),
                resourceId: pick(Self.texts, &random),
                issuer: issuer.text,
                accountName: account.text,
                serverEndpoint: pick(Self.servers, &random),
                sharedSecret: pick(Self.keys, &random),
                imageURL: pick(Self.images, &random),
                backgroundColor: pick(Self.colours, &random),
                policies: pick(Self.policies, &random)
            )
            let uri: String
            do {
                uri = try await made.toUri()
            } catch PushError.uriFormatting {
                #expect(!(issuer.fits && account.fits), "\(made)")
                continue
            }
            written += 1
            let read = try await PushCredential.fromUri(uri)
            #expect(facts(read) == facts(made), "\(uri)")
            #expect(read.sharedSecret == made.sharedSecret, "\(uri)")
            #expect(try await read.toUri() == uri)
        }
        #expect(written > 4_000)
    }

    @Test func fiveThousandOneTimePasswordsAreReadAsTheyWereWritten() async throws {
        var random = SeededGenerator(seed: 14)
        var written = 0
        for _ in 0..<5_000 {
            let issuer = name(&random), account = name(&random)
            let type = pick([OathType.totp, .hotp], &random)
            let made = OathCredential(
                userId: pick(Self.texts, &random),
                resourceId: pick(Self.texts, &random),
                issuer: issuer.text,
                accountName: account.text,
                oathType: type,
                oathAlgorithm: pick([.sha1, .sha256, .sha512], &random),
                digits: pick([6, 8], &random),
                period: pick([30, 60, 1], &random),
                counter: pick([0, 7, .max], &random),
                imageURL: pick(Self.images, &random),
                backgroundColor: pick(Self.colours, &random),
                policies: pick(Self.policies, &random),
                secretKey: pick(["JBSWY3DPEHPK3PXP", "gezd gnbv gy3t qojq", "MFRGG==="], &random)
            )
            let uri: String
            do {
                uri = try await made.toUri()
            } catch OathError.uriFormatting {
                #expect(!(issuer.fits && account.fits), "\(made)")
                continue
            }
            written += 1
            let read = try await OathCredential.fromUri(uri)
            #expect(facts(read) == facts(made), "\(uri)")
            #expect((read.oathType, read.digits) == (type, made.digits), "\(uri)")
            #expect(read.oathAlgorithm == made.oathAlgorithm, "\(uri)")
            #expect(type == .totp ? read.period == made.period : read.counter == made.counter, "\(uri)")
            #expect(read.password.secret == made.password.secret, "\(uri)")
            #expect(try await read.toUri() == uri)
        }
        #expect(written > 4_000)
    }

    /// Returns the fields of a credential that its code contains; an empty string counts as `nil`.
    private func facts(_ credential: PushCredential) -> [String?] {
        [
            credential.issuer, credential.accountName, credential.registrationEndpoint,
            credential.authenticationEndpoint,
        ] + optional(credential.userId, credential.deviceResourceId, credential.account)
    }

    private func facts(_ credential: OathCredential) -> [String?] {
        [credential.issuer, credential.accountName]
            + optional(credential.userId, credential.resourceId, credential.account)
    }

    private func optional(_ userId: String?, _ resourceId: String?, _ account: AccountProfile) -> [String?] {
        let colour = account.backgroundColor.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
        return [userId, resourceId, account.imageURL, colour, account.policies].map { $0 == "" ? nil : $0 }
    }

    /// Codes as the successor SDK and PingAM write them.
    ///
    /// All values are in base64url, except the label, the colour and the message id.
    @Test(arguments: [
        "pushauth://push/Example:babs?s=5GuioYhLlh-xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg"
            + "&r=aHR0cHM6Ly9hbS5leGFtcGxlLmNvbS9hbS9qc29uL2FscGhhL3B1c2gvc25zL21lc3NhZ2U"
            + "&issuer=RXhhbXBsZQ&b=032b75&image=aHR0cHM6Ly9hLmIvYw&uid=aWQ9ZGVtbw&pid=cGlkLTE"
            + "&policies=eyJ4Ijp7fX0",
        "pushauth://push/forgerock:babs?l=YW1sYmNvb2tpZT0wMQ&issuer=RXhhbXBsZQ&m=REGISTER:1"
            + "&s=5GuioYhLlh-xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg&c=KP0XQfZ21N_jsXP_xfVQMmsmoUiWvdDPWecHdb5_INQ"
            + "&r=aHR0cHM6Ly9hbS5leGFtcGxlLmNvbS9hbS9qc29uL2FscGhhL3B1c2gvc25zL21lc3NhZ2U_X2FjdGlvbj1yZWdpc3Rlcg"
            + "&a=aHR0cHM6Ly9hbS5leGFtcGxlLmNvbS9hbS9qc29uL2FscGhhL3B1c2gvc25zL21lc3NhZ2U_"
            + "X2FjdGlvbj1hdXRoZW50aWNhdGU&b=032b75&image=aHR0cHM6Ly9hLmIvYw&uid=aWQ9ZGVtbw&pid=cGlkLTE"
            + "&policies=eyJ4Ijp7fX0",
        "mfauth://push/Example:babs?m=REGISTER:1&s=5GuioYhLlh-xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg&c=AAAA"
            + "&r=aHR0cHM6Ly9hbS5leGFtcGxlLmNvbS9hbS9qc29uL2FscGhhL3B1c2gvc25zL21lc3NhZ2U_X2FjdGlvbj1yZWdpc3Rlcg"
            + "&a=aHR0cHM6Ly9hbS5leGFtcGxlLmNvbS9hbS9qc29uL2FscGhhL3B1c2gvc25zL21lc3NhZ2U_"
            + "X2FjdGlvbj1hdXRoZW50aWNhdGU&issuer=RXhhbXBsZQ&b=032b75&image=aHR0cHM6Ly9hLmIvYw"
            + "&d=aWQ9ZGVtbw&pid=cGlkLTE&policies=eyJ4Ijp7fX0",
    ])
    func aPushCodeOfTheSDKIsRead(_ uri: String) async throws {
        let read = try await PushUriParser.parse(uri)
        let base = "https://am.example.com/am/json/alpha/push/sns/message?_action="
        #expect(
            facts(read) == [
                "Example", "babs", "\(base)register", "\(base)authenticate", "id=demo", "pid-1",
                "https://a.b/c", "032b75", #"{"x":{}}"#,
            ]
        )
        #expect(read.backgroundColor == "#032b75")
        #expect(read.sharedSecret.withBase64 { $0 } == "5GuioYhLlh+xER3n5I8vrx0uuYQo3yD86aJi6KuWDsg=")
    }

    @Test(arguments: [
        "otpauth://totp/Example:babs?secret=JBSWY3DPEHPK3PXP&issuer=Example&algorithm=SHA256&digits=8&period=60"
            + "&b=032b75&image=https%3A%2F%2Fa.b%2Fc&uid=aWQ9ZGVtbw&oid=b2lkLTE&policies=eyJ4Ijp7fX0",
        "otpauth://totp/Example:babs?policies=eyJ4Ijp7fX0%3D&secret=jbswy3dpehpk3pxp&image=aHR0cHM6Ly9hLmIvYw"
            + "&algorithm=sha256&digits=8&period=60&b=032b75&uid=aWQ9ZGVtbw%3D%3D&oid=b2lkLTE%3D",
    ])
    func aOneTimePasswordCodeOfTheSDKIsRead(_ uri: String) async throws {
        let read = try await OathCredential.fromUri(uri)
        #expect(
            facts(read) == [
                "Example", "babs", "id=demo", "oid-1", "https://a.b/c", "032b75", #"{"x":{}}"#,
            ]
        )
        #expect((read.oathType, read.oathAlgorithm, read.digits, read.period) == (.totp, .sha256, 8, 60))
    }

    @Test func optionalParametersThatCannotBeDecodedAreTakenAsTheyAre() async throws {
        let read = try await PushCredential.fromUri(Sample.uri("&uid=a%21b&pid=%2A%2A"))
        #expect((read.userId, read.resourceId) == ("a!b", "**"))
        let oath = "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&uid=a%21b&oid=%2A%2A"
        let code = try await OathCredential.fromUri(oath)
        #expect((code.userId, code.resourceId) == ("a!b", "**"))
        let phone = try await EnrolledClient()
        await #expect(throws: PushError.invalidParameterValue("The value of policies cannot be read.")) {
            try await phone.client.addCredentialFromUri(Sample.uri("&policies=%21"))
        }
        let balanced = try Sample.uri("&l=lb%3D%2A7", loadBalancer: nil)
        _ = try await phone.client.addCredentialFromUri(
            balanced.replacingOccurrences(of: ":babs", with: ":other")
        )
        #expect(phone.server.requests.last?.headers.contains { $0.value == "lb=*7" } == true)
    }

    @Test(arguments: ["biometricAvailable", "[]", "null", "7", #"{"biometricAvailable":"#])
    func policiesThatAreNoObjectAreRefused(_ policies: String) async throws {
        let text = Data(policies.utf8).base64EncodedString()
        let phone = try await EnrolledClient()
        let sent = phone.server.requests.count
        await #expect(throws: PushError.invalidParameterValue("The value of policies cannot be read.")) {
            try await phone.client.addCredentialFromUri(Sample.uri("&policies=\(text)"))
        }
        let storage = CredentialStoreOathStorage(MemoryCredentialStore())
        let codes = try await OathClient.createClient { $0.storage = storage }
        await #expect(throws: OathError.invalidParameterValue("The value of policies cannot be read.")) {
            try await codes.addCredentialFromUri(
                "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXP&policies=\(text)"
            )
        }
        #expect(try await codes.getCredentials().isEmpty)
        #expect(phone.server.requests.count == sent)
    }

    @Test(arguments: ["a%00b", "a%0Ab", "a%E2%80%AEb", "%3Cb%3E", "..%2Fb", "a%E2%80%A8b"])
    func labelsThatDeceiveAreRefusedByBothClients(_ name: String) async throws {
        let phone = try await EnrolledClient()
        let sent = phone.server.requests.count
        for uri in [
            try Sample.uri().replacingOccurrences(of: ":babs", with: ":\(name)"),
            try Sample.uri().replacingOccurrences(of: "pushauth://push", with: "mfauth://totp")
                .replacingOccurrences(of: ":babs", with: ":\(name)") + "&secret=JBSWY3DPEHPK3PXP",
        ] {
            await #expect(throws: PushError.invalidParameterValue("The value of label cannot be read.")) {
                try await phone.client.addCredentialFromUri(uri)
            }
        }
        #expect(phone.server.requests.count == sent)
        #expect(try await phone.client.getCredentials().count == 1)
        let codes = try await OathClient.createClient { config in
            config.storage = OathDictionaryStorage()
            config.logger = LogManager.none
        }
        for label in ["Example:\(name)", "\(name):babs"] {
            await #expect(throws: OathError.invalidParameterValue("The value of label cannot be read.")) {
                try await codes.addCredentialFromUri("otpauth://totp/\(label)?secret=JBSWY3DPEHPK3PXP")
            }
        }
        #expect(try await codes.getCredentials() == [])
    }

    @Test func secretsThatAreTooLongAreRejectedInBothKindsOfCode() async throws {
        let long = String(repeating: "A", count: 1_025), longest = String(repeating: "A", count: 1_024)
        await #expect(throws: OathError.invalidSecret("The text of the secret is not base32.")) {
            try await OathCredential.fromUri("otpauth://totp/A:b?secret=\(long)")
        }
        _ = try await OathCredential.fromUri("otpauth://totp/A:b?secret=\(longest)")
        await #expect(throws: PushError.invalidParameterValue("The value of s cannot be read.")) {
            try await PushCredential.fromUri(Sample.uri("&s=\(long)"))
        }
        _ = try await PushCredential.fromUri(Sample.uri("&s=\(longest)"))
    }
}
