import PingAuthMigration
import PingOath
import PingPush
import PushBridgeTestSupport
import Testing

/// Row 59: apps compare `(error as NSError).code`.
///
/// The code is the position of the case.
@Suite("Numbers of the async API's errors")
struct ErrorNumberTests {
    private static let cause = CancellationError()

    /// The errors in the order of the SDK's declarations.
    ///
    /// Swift first numbers the cases that have associated values.
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
        #expect(listed == Set(Self.all.joined().map(ErrorRow.init)))
    }
}
