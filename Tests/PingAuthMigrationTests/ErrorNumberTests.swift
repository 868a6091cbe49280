import CredentialMigration
import LegacyStore
import PingAuthMigration
import PingOath
import PingPush
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

/// The numbers of the async API's errors, which apps compare as `(error as NSError).code`.
///
/// Swift numbers the cases with associated values first, then the others.
@Suite("Numbers of the async API's errors")
struct ErrorNumberTests {
    private static let cause = CancellationError()

    /// The errors in the order in which Swift numbers the SDK's cases.
    ///
    /// Swift numbers the cases that have associated values first.
    private static let push: [any Error] = [
        PushError.initializationFailed("", nil), PushError.invalidUri(""),
        PushError.missingRequiredParameter(""),
        PushError.invalidParameterValue(""), PushError.uriFormatting(""), PushError.invalidPushType(""),
        PushError.invalidPlatform(""), PushError.storageFailure("", nil), PushError.noHandlerForPlatform(""),
        PushError.messageParsingFailed(""), PushError.credentialNotFound(""), PushError.credentialLocked(""),
        PushError.duplicateCredential(issuer: "", accountName: ""), PushError.notificationNotFound(""),
        PushError.policyViolation(""), PushError.registrationFailed(""), PushError.networkFailure("", nil),
        PushError.pushNumberChallengeError(""), PushError.notInitialized, PushError.deviceTokenNotSet,
    ]
    private static let pushStorage: [any Error] = [
        PushStorageError.storageFailure("", nil), PushStorageError.duplicateCredential(""),
        PushStorageError.duplicateNotification(""),
    ]
    private static let oath: [any Error] = [
        OathError.credentialNotFound(""), OathError.credentialLocked(""),
        OathError.duplicateCredential(issuer: "", accountName: ""), OathError.invalidUri(""),
        OathError.missingRequiredParameter(""), OathError.invalidParameterValue(""),
        OathError.uriFormatting(""),
        OathError.invalidSecret(""), OathError.invalidOathType(""), OathError.invalidAlgorithm(""),
        OathError.codeGenerationFailed("", nil), OathError.policyViolation("", ""),
        OathError.initializationFailed("", nil), OathError.cleanupFailed("", nil),
    ]
    private static let oathStorage: [any Error] = [
        OathStorageError.storageFailure("", nil), OathStorageError.duplicateCredential(""),
        OathStorageError.storageCorrupted(""), OathStorageError.accessDenied(""),
    ]
    private static let migration: [any Error] = [
        AuthMigrationError.failedToReadLegacyData(cause), AuthMigrationError.failedToDecryptLegacyData(cause),
        AuthMigrationError.failedToDeserializeLegacyData(""),
        AuthMigrationError.failedToSaveOathCredentials(cause),
        AuthMigrationError.failedToSavePushCredentials(cause),
        AuthMigrationError.failedToCleanupLegacyData(cause),
        AuthMigrationError.noLegacyDataFound,
    ]
    private static let all = [push, pushStorage, oath, oathStorage, migration]

    @Test(arguments: all.indices)
    func numbersFollowTheOrderOfTheSDK(_ index: Int) {
        #expect(Self.all[index].map { ErrorRow($0).number } == Array(Self.all[index].indices))
    }

    @Test func theErrorPageListsEachErrorCase() throws {
        let listed = try ErrorRow.page(of: ["PingPush", "PingOath", "PingAuthMigration"])
        let expected = Set(Self.all.joined().map(ErrorRow.init))
        #expect(listed.subtracting(expected) == [])
        #expect(expected.subtracting(listed) == [])
    }

    /// The errors that the async API's errors contain as causes, and the errors that both APIs throw.
    private static var shared: [any Error] {
        let store: [StoreError.Code] = [
            .locked, .notEntitled, .wrongKey, .keyMissing, .damaged, .newerVersion, .notAStore, .missing,
            .replaced, .notWritable, .full, .failed,
        ]
        let record: [LegacyRecordError.Code] = [.damaged, .unsupported, .locked, .undecryptable]
        let legacyStore: [LegacyStoreError.Code] = [
            .unreadable, .notALegacyStore, .locked, .changed, .notWritable,
        ]
        let keychain: [Int32] = [-25299, -25300, -25308, -26275, -34018, 0]
        var errors: [any Error] = [
            PushTransportError.invalidAddress, PushTransportError.invalidRequest,
            PushTransportError.hostNotFound, PushTransportError.connectionFailed, PushTransportError.tls,
            PushTransportError.answerTooLarge, PushTransportError.timedOut, PushTransportError.offline,
            PushTransportError.failed(code: 0),
            PushResponseError.refused(status: 400, message: nil), PushResponseError.redirected(status: 307),
            PushResponseError.serverFault(status: 500, message: nil),
            PushResponseError.unexpected(status: 0),
            RegistrationURIError.malformed, RegistrationURIError.unsupported,
            RegistrationURIError.missing(parameter: ""), RegistrationURIError.notAnAddress(parameter: ""),
            RegistrationURIError.invalid(parameter: ""),
            RemovalObstacle.noSession, RemovalObstacle.unreachable, RemovalObstacle.noAddress,
            RemovalObstacle.unknownProfile, RemovalObstacle.refused(status: 401),
            PushRegistrationFailure.noEntitlement, PushRegistrationFailure.simulator,
            PushRegistrationFailure.offline, PushRegistrationFailure.other(domain: "", code: 0),
        ]
        for code in store { errors.append(StoreError(code, reason: "")) }
        for code in record { errors.append(LegacyRecordError(code, reason: "")) }
        for code in legacyStore { errors.append(LegacyStoreError(code, reason: "")) }
        for status in keychain { errors.append(KeychainError(status: status)) }
        return errors
    }

    @Test func theErrorPageListsTheSharedErrors() throws {
        let listed = try ErrorRow.page(of: [
            "PushBridgeCore", "PushBridgePlatform", "PushBridgeStore", "LegacyStore",
        ])
        let expected = Set(Self.shared.map(ErrorRow.init))
        #expect(listed.subtracting(expected) == [])
        #expect(expected.subtracting(listed) == [])
        let codes: [MigrationError.Code] = [
            .sourceChanged, .sourceIsDestination, .moveIsUnfinished, .held,
        ]
        let migration = try ErrorRow.page(of: ["CredentialMigration"])
        #expect(Set(migration.map(\.name)) == Set(codes.map(\.rawValue)))
    }
}
