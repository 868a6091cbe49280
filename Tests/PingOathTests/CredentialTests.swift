import Foundation
import PingOath
import Testing

@Suite("One-time-password credentials")
struct CredentialTests {
    @Test(arguments: StorageKind.allCases)
    func aCodeBecomesACredential(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        let credential = try await fixture.client.addCredentialFromUri(
            OathClientFixture.totp("babs", "&algorithm=SHA256&period=60&uid=YmFicw&oid=ZGV2aWNl&b=ff0000")
        )
        #expect(credential.oathType == .totp)
        #expect(credential.oathAlgorithm == .sha256)
        #expect((credential.digits, credential.period, credential.counter) == (8, 60, 0))
        #expect((credential.issuer, credential.accountName) == ("Example", "babs"))
        #expect((credential.userId, credential.resourceId) == ("babs", "device"))
        #expect(credential.createdAt == fixture.clock.now)
        #expect(try await fixture.client.getCredential(credential.id) == credential)
        #expect(try await fixture.client.getCredential(credentialId: credential.id) == credential)
        #expect(try await fixture.client.getCredentials() == [credential])
    }

    /// As in the successor SDK, one-time passwords may have four to eight digits.
    @Test(arguments: 4...8)
    func aURIWithFourToEightDigitsIsAccepted(_ digits: Int) async throws {
        let fixture = try await OathClientFixture()
        let credential = try await fixture.client.addCredentialFromUri(
            "otpauth://totp/Example:babs?secret=\(OathClientFixture.rfcSecret)&digits=\(digits)"
        )
        #expect(credential.digits == digits)
        #expect(try await fixture.client.generateCode(credential.id).count == digits)
    }

    @Test func aCombinedCodeReturnsItsOneTimePasswordCredential() async throws {
        let fixture = try await OathClientFixture()
        let credential = try await fixture.client.addCredentialFromUri(
            "mfauth://hotp/Example:babs?secret=\(OathClientFixture.rfcSecret)&counter=7&issuer=RXhhbXBsZQ"
        )
        #expect(credential.oathType == .hotp)
        #expect(credential.counter == 7)
        #expect(credential.issuer == "Example")
    }

    @Test(arguments: StorageKind.allCases)
    func aCodeThatIsScannedTwiceIsADuplicate(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        let credential = try await fixture.client.addCredentialFromUri(OathClientFixture.totp())
        await #expect(
            throws: OathError.duplicateCredential(
                issuer: credential.issuer,
                accountName: credential.accountName
            )
        ) {
            try await fixture.client.addCredentialFromUri(OathClientFixture.totp())
        }
        try await fixture.client.addCredentialFromUri(OathClientFixture.hotp())
        try await fixture.client.addCredentialFromUri(OathClientFixture.totp("jane"))
        #expect(try await fixture.client.getCredentials().count == 3)
    }

    @Test(arguments: StorageKind.allCases)
    func aChangedCredentialIsStored(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        var credential = try await fixture.client.addCredentialFromUri(OathClientFixture.totp())
        credential.displayIssuer = "Work"
        #expect(try await fixture.client.saveCredential(credential) == credential)
        #expect(try await fixture.client.getCredential(credential.id)?.displayIssuer == "Work")
    }

    @Test(arguments: StorageKind.allCases)
    func aDeletedCredentialIsGone(_ kind: StorageKind) async throws {
        let fixture = try await OathClientFixture(kind)
        let first = try await fixture.client.addCredentialFromUri(OathClientFixture.totp())
        let second = try await fixture.client.addCredentialFromUri(OathClientFixture.hotp())
        #expect(try await fixture.client.deleteCredential(first.id))
        #expect(try await !fixture.client.deleteCredential(credentialId: first.id))
        #expect(try await fixture.client.getCredentials() == [second])
        try await fixture.storage.clearOathCredentials()
        #expect(try await fixture.client.getCredentials() == [])
    }

    @Test(arguments: [
        ("nonsense", OathError.invalidUri("The form of the URI is not scheme://kind/label?parameters.")),
        ("pushauth://push/a:b?s=1", .invalidUri("The URI is not for one-time passwords (totp or hotp).")),
        (
            "otpauth://steam/a:b?secret=AAAA",
            .invalidUri("The URI is not for one-time passwords (totp or hotp).")
        ),
        (
            "otpauth://totp/?secret=AAAA",
            .invalidUri("The form of the URI is not scheme://kind/label?parameters.")
        ),
        ("otpauth://totp/a:b", .missingRequiredParameter("secret")),
        ("otpauth://totp/a:b?secret=%21%21", .invalidSecret("The text of the secret is not base32.")),
        (
            "otpauth://totp/a:b?secret=AAAA&algorithm=sha3",
            .invalidAlgorithm("The name of the hash function is not known.")
        ),
        (
            "otpauth://totp/a:b?secret=AAAA&period=0",
            .invalidParameterValue("The value of period cannot be read.")
        ),
        (
            "otpauth://totp/a:b?secret=AAAA&digits=9",
            .invalidParameterValue("The value of digits cannot be read.")
        ),
    ])
    func eachInvalidURIThrowsASpecificError(_ uri: String, _ error: OathError) async throws {
        let fixture = try await OathClientFixture()
        await #expect(throws: error) { try await fixture.client.addCredentialFromUri(uri) }
        await #expect(throws: error) { try await OathCredential.fromUri(uri) }
        #expect(try await fixture.client.getCredentials() == [])
    }

    @Test(arguments: [
        OathClientFixture.totp("babs", "&period=60"), OathClientFixture.hotp("babs", "&counter=3"),
        OathClientFixture.hotp("babs", "&counter=3&period=45&uid=YmFicw&oid=b2lk"),
    ])
    func aCredentialIsUnchangedAfterConversionToAURIAndBack(_ uri: String) async throws {
        let credential = try await OathCredential.fromUri(uri)
        var again = try await OathCredential.fromUri(credential.toUri())
        // A URI does not contain the date on which the account was added.
        again.account.addedAt = credential.account.addedAt
        #expect(again.account == credential.account)
        #expect(again.password == credential.password)
        #expect(again.movingFactor == credential.movingFactor)
        #expect(again.period == credential.period)
        #expect((again.userId, again.resourceId) == (credential.userId, credential.resourceId))
    }

    @Test func aPrintedCredentialShowsNoSecret() async throws {
        let credential = try await OathCredential.fromUri(OathClientFixture.totp())
        var dumped = ""
        dump(credential, to: &dumped)
        for text in ["\(credential)", dumped] {
            #expect(!text.contains(OathClientFixture.rfcSecret))
            #expect(!text.contains("1234567890"))
        }
    }
}
