import Foundation
import PingLogger
import PingOath
import Testing

/// Call sites as in an app that uses the successor SDK, for each type of the SDK's one-time-password module.
@Suite("One-time-password call sites")
struct OathCallSites {
    @Test func anOathCredentialCanBeCreatedChangedAndEncoded() async throws {
        var credential = OathCredential(
            issuer: "Example",
            accountName: "babs",
            oathType: .hotp,
            secretKey: "JBSWY3DPEHPK3PXP"
        )
        #expect((credential.oathAlgorithm, credential.digits, credential.period) == (.sha1, 6, 30))
        #expect((credential.type, credential.algorithm) == ("hotp", "SHA1"))
        credential.counter += 1
        #expect(credential.counter == 1)
        credential.isLocked = true
        credential.lockCredential(policyName: "own")
        #expect(credential.lockingPolicy == "own")
        credential.unlockCredential()
        #expect(!credential.isLocked)
        #expect(!credential.description.contains("JBSWY3DPEHPK3PXP"))
        #expect(credential.customMirror.children.allSatisfy { "\($0.value)" != "JBSWY3DPEHPK3PXP" })
        // The JSON contains no secret, because the SDK's sample app copies this JSON to the pasteboard.
        let json = try JSONEncoder().encode(credential)
        #expect(!String(decoding: json, as: UTF8.self).contains("JBSWY3DPEHPK3PXP"))
        let copy = try JSONDecoder().decode(OathCredential.self, from: json)
        #expect((copy.id, copy.counter, copy.lockingPolicy) == (credential.id, 1, credential.lockingPolicy))
        let stored = try JSONEncoder().encode(OathCredential.WithSecret(credential))
        let read = try JSONDecoder().decode(OathCredential.WithSecret.self, from: stored)
        #expect(read.credential == credential)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(OathCredential.WithSecret.self, from: json)
        }
        let uri: String = try await credential.toUri()
        #expect(try await OathCredential.fromUri(uri).counter == 1)
    }

    @Test func theInitializerOfACredentialStoresEveryParameter() {
        let credential = OathCredential(
            id: "id",
            userId: "user",
            resourceId: "resource",
            issuer: "Example",
            displayIssuer: "Work",
            accountName: "babs",
            displayAccountName: "Babs",
            oathType: .totp,
            oathAlgorithm: .sha512,
            digits: 8,
            period: 60,
            counter: 7,
            createdAt: Date(timeIntervalSince1970: 1),
            imageURL: "https://example.com/logo.png",
            backgroundColor: "ff0000",
            policies: "{}",
            lockingPolicy: "own",
            isLocked: true,
            secretKey: "jbsw y3dp"
        )
        #expect((credential.period, credential.counter, credential.digits) == (60, 7, 8))
        #expect((credential.displayIssuer, credential.displayAccountName) == ("Work", "Babs"))
    }

    @Test func namesOfAlgorithmsAndOathTypesAreRead() throws {
        #expect([OathAlgorithm.sha1, .sha256, .sha512].map(\.rawValue) == ["SHA1", "SHA256", "SHA512"])
        #expect([OathType.totp, .hotp].map(\.rawValue) == ["totp", "hotp"])
        #expect(try OathAlgorithm.fromString("sha256") == .sha256)
        #expect(try OathType.fromString("HOTP") == .hotp)
        #expect(throws: OathError.invalidAlgorithm("x")) { try OathAlgorithm.fromString("x") }
        #expect(throws: OathError.invalidOathType("x")) { try OathType.fromString("x") }
        let data = Data(#"["SHA1","sha256"]"#.utf8)
        #expect(try JSONDecoder().decode([OathAlgorithm].self, from: data) == [.sha1, .sha256])
    }

    @Test func aCodeInfoRoundTripsThroughJSON() throws {
        let totp = OathCodeInfo.forTotp(code: "123456", timeRemaining: 15, totalPeriod: 30)
        #expect((totp.code, totp.counter, totp.progress) == ("123456", -1, 0.5))
        let hotp = OathCodeInfo.forHotp(code: "123456", counter: 8)
        #expect((hotp.counter, hotp.timeRemaining, hotp.totalPeriod) == (8, -1, 0))
        for info in [totp, hotp] {
            #expect(try OathCodeInfo.fromJson(info.toJson()) == info)
            #expect(!"\(info)".contains("123456"))
        }
    }

    @Test func aConfiguredOathClientUsesTheKeychainStorage() async throws {
        let configuration = OathConfiguration.build { config in
            config.storage = OathKeychainStorage()
            config.timeoutMs = 15_000.0
            config.encryptionEnabled = true
            config.enableCredentialCache = true
            config.logger = LogManager.none
        }
        let client = try await OathClient.createClient(configuration: configuration)
        let stored: (OathConfiguration) -> Void = { $0.storage = OathKeychainStorage() }
        let other = try await OathClient.createClient(configure: stored)
        let credential = try await client.saveCredential(
            OathCredential(
                issuer: "A",
                accountName: UUID().uuidString,
                oathType: .totp,
                secretKey: "JBSWY3DP"
            )
        )
        #expect(try await other.generateCode(credential.id).count == 6)
        #expect(await OathKeychainStorage().hasCredential(id: credential.id))
        #expect(try await client.deleteCredential(credential.id))
        #expect(await !OathKeychainStorage().hasCredential(id: credential.id))
        try await client.close()
    }

    @Test func everyOathErrorHasADescriptionAndASuggestion() {
        let errors: [OathError] = [
            .credentialNotFound("a"), .credentialLocked("a"),
            .duplicateCredential(issuer: "a", accountName: "b"), .invalidUri("a"),
            .missingRequiredParameter("a"), .invalidParameterValue("a"), .uriFormatting("a"),
            .invalidSecret("a"), .invalidOathType("a"), .invalidAlgorithm("a"), .codeGenerationFailed("a"),
            .policyViolation("a", "a"), .initializationFailed("a"), .cleanupFailed("a"),
        ]
        #expect(errors.allSatisfy { $0.errorDescription?.contains("a") == true })
        let stored: [OathStorageError] = [
            .storageFailure("a"), .duplicateCredential("a"), .accessDenied("a"), .storageCorrupted("a"),
        ]
        #expect(stored.allSatisfy { $0.errorDescription?.contains("a") == true })
        #expect(errors.allSatisfy { $0.failureReason != nil && $0.recoverySuggestion != nil })
        #expect(stored.allSatisfy { $0.failureReason != nil && $0.recoverySuggestion != nil })
    }

    @Test func aCredentialWithAnInvalidSecretMakesNoCode() async throws {
        let client = try await OathClient.createClient { $0.storage = OathKeychainStorage() }
        let credential = try await client.saveCredential(
            OathCredential(
                issuer: "A",
                accountName: UUID().uuidString,
                oathType: .totp,
                secretKey: "no!base32"
            )
        )
        await #expect(throws: OathError.invalidSecret("The secret is not base32.")) {
            try await client.generateCode(credential.id)
        }
        try await client.deleteCredential(credential.id)
    }
}
