import FRAuthenticator
import FRCore
import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeTestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Legacy models")
struct ModelTests {
    static let stores = ["everyday.jsonl", "edges.jsonl"]

    static func records(_ store: String) throws -> [(Data, LegacyService, LegacyRecord)] {
        try LegacyFile.open(LegacyFixtures.url(store)).items().compactMap { item in
            let item = try item.get()
            guard case .archive(let archive) = item.payload else { return nil }
            return (archive, item.service, try item.decoded().record)
        }
    }

    /// Returns the object in an archive, as an app unarchives it.
    static func object(_ archive: Data, _ service: LegacyService) throws -> NSObject? {
        switch service {
        case .account:
            try NSKeyedUnarchiver.unarchivedObject(ofClass: Account.self, from: archive)
        case .mechanism:
            try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: [PushMechanism.self, TOTPMechanism.self, HOTPMechanism.self],
                from: archive
            ) as? Mechanism
        case .notification:
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: FRAuthenticator.PushNotification.self,
                from: archive
            )
        case .deviceToken:
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: FRAuthenticator.PushDeviceToken.self,
                from: archive
            )
        }
    }

    static func json(_ object: NSObject?) -> String? {
        switch object {
        case let account as Account: account.toJson()
        case let mechanism as Mechanism: mechanism.toJson()
        case let notification as FRAuthenticator.PushNotification: notification.toJson()
        case let token as FRAuthenticator.PushDeviceToken: token.toJson()
        default: nil
        }
    }

    @Test(arguments: stores)
    func archivesOfTheLegacySDKBecomeObjects(_ store: String) throws {
        let records = try Self.records(store)
        #expect(records.count > 10)
        for (archive, service, record) in records {
            let object = try Self.object(archive, service)
            #expect(Self.json(object) == String(decoding: try record.legacyJSON(), as: UTF8.self))
        }
    }

    @Test(arguments: stores)
    func archivesOfObjectsAreReadByBothReaders(_ store: String) throws {
        for (archive, service, record) in try Self.records(store) {
            let object = try #require(try Self.object(archive, service))
            let again = try NSKeyedArchiver.archivedData(
                withRootObject: object,
                requiringSecureCoding: true
            )
            #expect(try LegacyRecord(archive: again, service: service) == record)
            #expect(try Self.json(Self.object(again, service)) == Self.json(object))
        }
    }

    @Test(arguments: stores)
    func jsonOfObjectsBecomesTheSameObjects(_ store: String) throws {
        for (archive, service, _) in try Self.records(store) {
            let text = try #require(Self.json(try Self.object(archive, service)))
            let decoder = JSONDecoder()
            let json = Data(text.utf8)
            let decoded: NSObject =
                switch service {
                case .account: try decoder.decode(Account.self, from: json)
                case .notification: try decoder.decode(FRAuthenticator.PushNotification.self, from: json)
                case .deviceToken: try decoder.decode(FRAuthenticator.PushDeviceToken.self, from: json)
                case .mechanism: try decoder.decode(Mechanism.self, from: json)
                }
            #expect(Self.json(decoded) == text)
        }
    }

    @Test func aMechanismOfAnotherKindIsRefused() throws {
        let records = try Self.records("everyday.jsonl").filter { $0.2.kind == .push }
        let (archive, service, _) = try #require(records.first)
        let text = try #require(Self.json(try Self.object(archive, service)))
        #expect(throws: LegacyRecordError.damaged("The mechanism is not of the kind totp.")) {
            try JSONDecoder().decode(TOTPMechanism.self, from: Data(text.utf8))
        }
    }

    @Test func theClassesAreNamedAsInArchives() {
        let classes: [AnyClass] = [
            Account.self, Mechanism.self, OathMechanism.self, TOTPMechanism.self, HOTPMechanism.self,
            PushMechanism.self, FRAuthenticator.PushNotification.self, FRAuthenticator.PushDeviceToken.self,
        ]
        #expect(
            classes.map { NSStringFromClass($0) } == [
                "FRAuthenticator.Account", "FRAuthenticator.Mechanism", "FRAuthenticator.OathMechanism",
                "FRAuthenticator.TOTPMechanism", "FRAuthenticator.HOTPMechanism",
                "FRAuthenticator.PushMechanism", "FRAuthenticator.PushNotification",
                "FRAuthenticator.PushDeviceToken",
            ]
        )
    }

    @Test func errorsHaveTheirNumbersAndDomains() throws {
        let expected: [(any FRError, String, Int)] = [
            (MechanismError.invalidQRCode, "mechanism", 6_000_000),
            (MechanismError.invalidType, "mechanism", 6_000_001),
            (MechanismError.missingInformation(""), "mechanism", 6_000_002),
            (AuthenticationFailures.error(for: CancellationError()), "mechanism", 6_000_003),
            (MechanismError.alreadyExists(""), "mechanism", 6_000_004),
            (MechanismError.failedToUpdateInformation(""), "mechanism", 6_000_005),
            (AccountError.accountLocked(""), "account", 6_100_000),
            (AccountError.failToLockMissingPolicyName, "account", 6_100_001),
            (AccountError.failToLockInvalidPolicy, "account", 6_100_002),
            (AccountError.failToLockAccountAlreadyLocked, "account", 6_100_003),
            (AccountError.failToUnlockAccountNotLocked, "account", 6_100_004),
            (AccountError.failToRegisterPolicyViolation(""), "account", 6_100_005),
            (PushNotificationError.missingDeviceToken, "pushnotification", 1_100_000),
            (PushNotificationError.notificationInvalidStatus, "pushnotification", 1_100_001),
            (PushNotificationError.storageError(""), "pushnotification", 1_100_002),
            (PushNotificationError.updateFailed(errors: []), "pushnotification", 1_100_003),
            (PushNotificationError.pushNumberChallengeError(""), "pushnotification", 1_100_004),
            (CryptoError.invalidParam(""), "crypto", 1_200_000),
            (CryptoError.failToConvertData, "crypto", 1_200_001),
            (CryptoError.invalidJWT, "crypto", 1_200_002),
            (CryptoError.unsupportedJWTType, "crypto", 1_200_003),
            (NotificationError.invalidPayload(""), "notification", 7_000_000),
            (FRAError.invalidStateForChangingStorage, "fra", 8_000_000),
            (FRAError.failToSaveIntoStorageClient(""), "fra", 8_000_001),
            (FRAError.invalidStateForChangingPolicyEvaluator, "fra", 8_000_002),
            (FRAError.invalidPolicyRegisteredWithPolicyEvaluator(""), "fra", 8_000_003),
            (OathError.invalidSecret, "oath", 9_000_000),
        ]
        for (error, domain, code) in expected {
            let error = error as NSError
            #expect(error.domain == "com.forgerock.ios.frauthenticator.\(domain)")
            #expect(error.code == code)
            #expect(!error.localizedDescription.isEmpty)
        }
        let url = try #require(URL(string: "https://am.example.com"))
        let response = URLResponse(
            url: url,
            mimeType: nil,
            expectedContentLength: 0,
            textEncodingName: nil
        )
        let core: [any Error] = [
            NetworkError.invalidResponseDataType, NetworkError.invalidRequest(""),
            NetworkError.apiRequestFailure(Data(), response, URLError(.timedOut)),
            SecurityError.failToExtractPublicKey,
        ]
        let listed = try ErrorRow.page(of: ["FRAuthenticator", "FRCore"])
        let rows = Set((expected.map { $0.0 as any Error } + core).map(ErrorRow.init))
        #expect(listed.subtracting(rows) == [])
        #expect(rows.subtracting(listed) == [])
    }
}
