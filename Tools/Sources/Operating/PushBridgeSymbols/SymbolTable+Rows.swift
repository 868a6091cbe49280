// The rows are Swift literals and not a data file, so that the compiler checks each row: no part is missing,
// and the necessary work is a case of `Work`.

extension SymbolTable {
    static let allSections = [
        Section(anchor: "symbols-client", titles: ["legacy", "new", "remark"], rows: clientRows),
        Section(anchor: "symbols-values", titles: ["legacy", "new", "remark"], rows: valuesRows),
        Section(anchor: "symbols-codes", titles: ["legacy", "new (`PingOath`)", "remark"], rows: codesRows),
        Section(anchor: "symbols-storage", titles: ["legacy", "new", "remark"], rows: storageRows),
        Section(anchor: "symbols-errors", titles: ["legacy error", "new error"], rows: errorsRows),
        Section(anchor: "symbols-shared", titles: ["legacy", "new", "remark"], rows: sharedRows),
    ]

    // The rows have the same order as in docs/symbols.md. A name with argument labels stands for one of
    // several overloads.
    static let clientRows: [SymbolRow] = [
        .init("FRAClient, FRAPushHandler", "`PushClient`", "the types; the app stores the client", .rename),
        .init("FRAClient: start, shared", "`PushClient.createClient`", "async and throwing", .needsAwait),
        .init(
            "FRAClient: setStorage, setCredentialStore",
            "`PushConfiguration.storage`",
            "set for each client",
            .needsAwait
        ),
        .init(
            "FRAClient: callsBackOnMainQueue",
            "none",
            "async calls return to the caller's actor",
            .needsDecision,
            decide:
                "Async calls return to the caller's actor: decide when the app no longer uses callbacks, and then remove the setting."
        ),
        .init(
            "FRAClient: setPolicyEvaluator",
            "`PushConfiguration.policyEvaluator`",
            "the same default as the legacy API",
            .needsAwait
        ),
        .init(
            "FRAClient: getAllAccounts",
            "`getCredentials()`",
            "one element per credential, oldest first; group by issuer and account name",
            .needsAwait
        ),
        .init("FRAClient: getAccount", "`getCredential(_:)`", "by the credential's id", .needsAwait),
        .init(
            "FRAClient: updateAccount",
            "`saveCredential(_:)`",
            "names and lock apply to all credentials of the account",
            .needsDecision
        ),
        .init(
            "FRAClient: removeAccount, removeMechanism",
            "`deleteCredential(_:)`",
            "per credential; also deletes its notifications",
            .needsDecision,
            decide:
                "Credentials are deleted one by one, and an account is removed with its last credential: decide which credentials of the account the user removes."
        ),
        .init(
            "FRAClient: retryOwedRemovals, owedRemoval, RemovalOutcome, RemovalObstacle, UnconfirmedRemoval, ServerSession; ServerSessionCallback",
            "`retryOwedRemovals(unregister:)`, `PushCredential.owedRemoval`, the types without `FRAClient.`; `ServerSessionProvider`",
            "not in either SDK: removal at the server",
            .needsAwait
        ),
        .init(
            "FRAClient: lockAccount, unlockAccount",
            "`lockCredential(policyName:)`, `unlockCredential()`, then `saveCredential(_:)`",
            "no check that the credential has the policy",
            .needsDecision
        ),
        .init(
            "FRAClient: createMechanismFromUri",
            "`addCredentialFromUri(_:)`",
            "the parameter is text; `pushauth` and `mfauth`",
            .needsDecision
        ),
        .init("FRAClient: getMechanism", "`getCredential(notification.credentialId)`", .needsAwait),
        .init(
            "FRAClient: getAllNotifications",
            "`getAllNotifications()`, `getPendingNotifications()`",
            "filter by `credentialId`",
            .needsAwait
        ),
        .init("FRAClient: getNotification", "`getNotification(_:)`", "by `id`", .needsAwait),
        .init(
            "FRAClient: removeNotification",
            "`cleanupNotifications(credentialId:)`",
            "by age or number; one by one through `PushStorage`",
            .needsDecision,
            decide:
                "The new client removes pushes by age or number, not one by one: decide whether this is sufficient, or remove single pushes through the client's `PushStorage`."
        ),
        .init(
            "FRAClient: localAuthentication, LocalAuthenticating, AuthenticationPrompt, LocalAuthenticationUnavailable; LocalAuthenticating: isAvailable, authenticate; AuthenticationPrompt: init, title, allowsDeviceCredentials; LocalAuthenticationUnavailable: errorDescription",
            "your own call of `LAContext`",
            "not in the legacy SDK: for tests, and for platforms without local authentication",
            .needsDecision,
            decide:
                "The async API never requests biometric authentication or a passcode: decide how the app requests them before it answers a push."
        ),
        .init(
            "FRAClient: migration, credentialStore; FRAMigration: mode, source, rollout, outcome, run, moveBack, init, modeWithoutGate, useGate, outcomeWithoutReceipt, failure, unprovenRecords, runWithoutReceipt, moveBackWithoutSummary; Mode: inPlace, gated, atOnce; Outcome: notRun, inPlace, nothingToDo, done, later, failed, held; FRAMigrationMode: inPlace, gated, atOnce; FRAMigrationOutcome: notRun, inPlace, nothingToDo, done, later, failed, held; MigrationSource: storageClient",
            "`CredentialMigration`",
            "not in the legacy SDK: the place of the records, and the time of the move",
            .needsDecision,
            decide:
                "Without `FRAClient`, a launch no longer moves the records: decide where the app runs `CredentialMigration`, and for how long, because users update late."
        ),
        .init("FRAPushHandler: init, shared", "`PushClient.createClient`", "async and throwing", .needsAwait),
        .init(
            "FRAPushHandler: application(_:didRegisterForRemoteNotificationsWithDeviceToken:)",
            "`setDeviceToken(_:)`",
            .needsAwait
        ),
        .init(
            "FRAPushHandler: application(_:didFailToRegisterForRemoteNotificationsWithError:)",
            "`didFailToRegister(_:)`",
            "keeps a token that may still be valid",
            .needsDecision
        ),
        .init(
            "FRAPushHandler: application(_:didReceiveRemoteNotification:)",
            "`processNotification(userInfo:)`",
            .needsDecision
        ),
        .init("FRAPushHandler: deviceToken", "`getDeviceToken()`", "lower case", .needsAwait),
        .init(
            "FRAPushHandler: updateDeviceToken",
            "`setDeviceToken(_:credentialId:)`",
            "waits for the servers",
            .needsDecision
        ),
        .init(
            "FRAPushHandler: tokenState, TokenState, setUserId, tokenResync, providers, topic, onMilestone, Milestone",
            "`tokenState(of:)`, `DeviceTokenState`, `setUserId(_:credentialId:)`; of `PushConfiguration`: `tokenResync`, `providers`, `topic`, `onMilestone`; `PushMilestone`",
            "not in either SDK",
            .needsAwait
        ),
        .init("FRAPushHandler: environment", "`PushConfiguration.environment`", "not in either SDK", .rename),
        .init(
            "FRAPushHandler: presentation, backgroundResult, perform, receive, badge, userNotificationCenter, scene",
            "`presentation(of:)`, `backgroundResult(of:deadline:)`, `perform(_:userInfo:text:)`, `receive(delivered:at:)`, `badge()`",
            "not in either SDK: see [delivery](delivery.md)",
            .needsAwait
        ),
        .init("FRAPushHandler: clearDeviceToken", "`PushStorage.clearPushDeviceTokens()`", .needsDecision),
        .init(
            "UIApplication: shared",
            "none",
            "UIKit's own type; PushBridge declares a substitute only on platforms without UIKit",
            .stays
        ),
        .init(
            "AccountCallback, AccountsCallback, MechanismCallback, SuccessCallback, ErrorCallback",
            "`async throws`",
            .needsAwait
        ),
    ]

    static let valuesRows: [SymbolRow] = [
        .init("PushNotification, PushType, PushDeviceToken", "the same, of `PingPush`", "the types", .stays),
        .init(
            "Account, PushMechanism",
            "`PushCredential`",
            "the types; each credential contains the data of its account",
            .rename
        ),
        .init("OathMechanism, TOTPMechanism, HOTPMechanism", "`OathCredential`", "the types", .rename),
        .init(
            "Mechanism",
            "`PushCredential`, `OathCredential`",
            "one type for each kind",
            .needsDecision,
            decide:
                "Each kind of credential has its own type and client: decide whether to split the code, or to write one type in the app for both kinds."
        ),
        .init(
            "PushNotification: accept(onSuccess:onError:), accept(challengeResponse:onSuccess:onError:), accept(title:allowDeviceCredentials:onSuccess:onError:)",
            "`approveNotification(_:)`, `approveChallengeNotification(_:challengeResponse:)`, `approveBiometricNotification(_:authenticationMethod:)`",
            "by id; the app itself prompts the user",
            .needsDecision
        ),
        .init(
            "PushNotification: context",
            "the same",
            "`contextInfo`, typed; not in either SDK: see [delivery](delivery.md)",
            .stays
        ),
        .init("PushNotification: deny", "`denyNotification(_:)`", "by id", .needsDecision),
        .init(
            "PushNotification: messageId, customPayload, contextInfo, numbersChallenge, pushType, isExpired",
            "the same",
            .stays
        ),
        .init("PushNotification: mechanismUUID", "`credentialId`", .rename),
        .init("PushNotification: message", "`messageText`", .rename),
        .init("PushNotification: ttl", "`ttl`", "whole seconds", .stays),
        .init(
            "PushNotification: timeAdded",
            "`sentAt`",
            "optional, and cannot be set; `createdAt` is the time when the device stored the push",
            .needsDecision,
            decide:
                "`sentAt` is `nil` if the time of sending is unknown, and cannot be set: decide what the app shows in this case, such as `createdAt`."
        ),
        .init("PushNotification: timeExpired", "`expiresAt`", .rename),
        .init(
            "PushNotification: numbersChallengeArray",
            "`getNumbersChallenge()`",
            "a method; empty instead of `nil`",
            .needsDecision,
            decide:
                "A push without numbers has an empty list instead of `nil`: decide how to change code that compares the list with `nil`; `numbersChallenge` is still `nil` for such a push."
        ),
        .init(
            "PushNotification: identifier",
            "`id`",
            "if the async API received the push, `id` does not contain the credential's id and the time",
            .rename
        ),
        .init(
            "PushNotification: isPending, isApproved, isDenied",
            "`pending`, `!pending && approved`, `!pending && !approved`",
            .rename
        ),
        .init("PushType: default, challenge, biometric", "the same", .stays),
        .init(
            "Account: issuer, accountName, displayIssuer, displayAccountName, backgroundColor, policies, lockingPolicy",
            "the same, of the credential",
            .stays
        ),
        .init("Account: imageUrl, lock", "`imageURL`, `isLocked`", .rename),
        .init(
            "Account: lock(policy:), unlock",
            "`lockCredential(policyName:)`, `unlockCredential()`",
            "then `saveCredential(_:)`",
            .needsDecision
        ),
        .init(
            "Account: timeAdded",
            "`createdAt`",
            "the credential's date, not the account's date",
            .needsDecision,
            decide:
                "Each credential has its own date: decide which date the app uses for an account with several credentials, such as the oldest."
        ),
        .init(
            "Account: identifier; Mechanism, PushMechanism: accountIdentifier",
            "`account.key`",
            "a value, not a string",
            .needsDecision,
            decide:
                "`account.key` is a value and no longer the string `{issuer}-{accountName}`: decide what to do with such strings that the app has stored."
        ),
        .init(
            "Account: mechanisms",
            "`getCredentials()`",
            "accounts exist only as part of credentials",
            .needsAwait
        ),
        .init(
            "Mechanism, PushMechanism: mechanismUUID",
            "`id`",
            .rename
        ),
        .init(
            "Mechanism, PushMechanism: identifier",
            "`id`",
            "another string",
            .needsDecision,
            decide:
                "`id` has the value of `mechanismUUID`, and is no longer the string `{issuer}-{accountName}-{type}`: decide what to do with such strings that the app has stored."
        ),
        .init(
            "Mechanism: type",
            "`PushCredential`, `OathCredential`",
            "one type for each kind",
            .needsDecision,
            decide:
                "Each kind of credential has its own type and client instead of a string: decide whether to split the code, or to switch over a type of the app."
        ),
        .init(
            "Mechanism: issuer, accountName, timeAdded, uid",
            "`issuer`, `accountName`, `createdAt`, `userId`",
            .rename
        ),
        .init(
            "Mechanism: resourceId",
            "`resourceId`",
            "never `nil` in a push credential",
            .needsDecision,
            decide:
                "If the server sent no `resourceId`, a push credential contains its own id instead of `nil`: decide how to change code that compares `resourceId` with `nil`."
        ),
        .init(
            "PushMechanism: notifications, pendingNotifications",
            "`getAllNotifications()`, `getPendingNotifications()`",
            "filter by `credentialId`",
            .needsAwait
        ),
        .init("PushDeviceToken: tokenId, timeAdded", "`token`, `createdAt`", .rename),
        .init(
            "Account, Mechanism, OathMechanism, PushMechanism, TOTPMechanism, HOTPMechanism, PushNotification, PushDeviceToken, OathTokenCode: init, encode, supportsSecureCoding, toJson",
            "none",
            "the clients create and store values; `pushbridge export` writes them as JSON",
            .needsDecision,
            decide:
                "The clients create and store values: decide what to do with JSON and archives that the app itself stores or sends."
        ),
    ]

    static let codesRows: [SymbolRow] = [
        .init("OathMechanism: digits", "`OathCredential.digits`", .stays),
        .init(
            "OathMechanism: algorithm",
            "`OathCredential.oathAlgorithm`",
            "an `OathAlgorithm`, not a string",
            .needsDecision,
            decide:
                "The algorithm is an enum whose `rawValue` is uppercase; the legacy string was lowercase: decide how comparisons and displayed texts change."
        ),
        .init("TOTPMechanism: period; HOTPMechanism: counter", "the same, of `OathCredential`", .stays),
        .init("TOTPMechanism: generateCode", "`OathClient.generateCodeWithValidity(_:)`", .needsAwait),
        .init(
            "HOTPMechanism: generateCode",
            "`OathClient.generateCode(_:)`",
            "the counter is stored before the code is shown",
            .needsAwait
        ),
        .init("OathTokenCode", "`OathCodeInfo`", "the type", .rename),
        .init("OathTokenCode: code", "`OathCodeInfo.code`", .stays),
        .init("OathTokenCode: tokenType", "`OathCredential.oathType`", "an enum", .rename),
        .init(
            "OathTokenCode: start, until, isValid, progress",
            "`OathCodeInfo.timeRemaining`, `progress`, `totalPeriod`",
            "as of the time when the code was generated",
            .needsDecision,
            decide:
                "`OathCodeInfo` contains the seconds that remained when the code was generated, but no date and no countdown: decide which part of the app stores the time of generation and requests the next code."
        ),
        .init("OathError: invalidSecret", "`OathError.codeGenerationFailed`", .rename),
    ]

    private static let ownStorage =
        "The app's storage has to be rewritten for `PushStorage`: decide whether the app needs its own storage, or uses "
        + "`PushSQLiteStorage` or `PushKeychainStorage` instead."

    static let storageRows: [SymbolRow] = [
        .init(
            "StorageClient: setAccount, removeAccount, getAccount, getAllAccounts, setMechanism, removeMechanism, getMechanismsForAccount, getMechanismForUUID",
            "`PushStorage`: the methods of credentials",
            "most apps do not need to implement a storage: `PushSQLiteStorage`, `PushKeychainStorage`",
            .needsDecision,
            decide: ownStorage
        ),
        .init(
            "StorageClient: setNotification, removeNotification, getNotification, getNotificationByMessageId, getAllNotificationsForMechanism, getAllNotifications",
            "`PushStorage`: the methods of notifications",
            .needsDecision,
            decide: ownStorage
        ),
        .init(
            "StorageClient: setPushDeviceToken, getPushDeviceToken, removePushDeviceToken, isEmpty",
            "`PushStorage`: the methods of the device token",
            .needsDecision,
            decide: ownStorage
        ),
        .init(
            "FRAPolicy: name, data, evaluate",
            "`MfaPolicy`: `name`, `evaluate(data:)`",
            "async; the data is an argument, not a property",
            .needsAwait
        ),
        .init(
            "FRAPolicyEvaluator: init, policies, registerPolicies, defaultPolicies",
            "`MfaPolicyEvaluator(policies:)`",
            "all policies at initialisation",
            .needsDecision,
            decide:
                "An evaluator gets all its policies at initialisation, and adds no defaults: decide whether to include the policies of `MfaPolicyEvaluator.standard`."
        ),
        .init(
            "FRAPolicyEvaluator: evaluate, isPolicyAttached, Result, comply, nonCompliancePolicy",
            "`evaluate(credentialPolicies:)`, `MfaPolicyResult`",
            "async",
            .needsAwait
        ),
        .init(
            "BiometricAvailablePolicy: init, name, data, evaluate",
            "`BiometricAvailablePolicy(isAvailable:)`",
            "`MfaPolicyEvaluator.standard` uses the device's probe",
            .needsDecision,
            decide:
                "The policy is not subclassed but gets a probe as a parameter: decide between the device's probe, which `MfaPolicyEvaluator.standard` uses, and a probe of the app."
        ),
        .init(
            "DeviceTamperingPolicy: init, name, data, defaultThresholdScore, evaluate",
            "`DeviceTamperingPolicy(score:)`",
            "`FRJailbreakDetector.shared.analyze()` still returns the score; `MfaPolicyEvaluator.standard` uses the same score",
            .needsDecision,
            decide:
                "The policy is not subclassed but gets the score as a parameter: decide between the detectors of `MfaPolicyEvaluator.standard` and a score and threshold of the app."
        ),
    ]

    static let errorsRows: [SymbolRow] = [
        .init(
            "MechanismError, AccountError, PushNotificationError, CryptoError, NotificationError, FRAError, NetworkError",
            "`PushError`",
            .rename
        ),
        .init("MechanismError: invalidQRCode, invalidType", "`PushError.invalidUri`", .rename),
        .init(
            "MechanismError: missingInformation",
            "`PushError.missingRequiredParameter`; for `s`, `c` or `m`: `PushError.invalidUri`",
            .needsDecision,
            decide:
                "The async API has two errors for this failure: decide whether the user sees the same message for a code without `s`, `c` or `m` as for a code without another parameter."
        ),
        .init(
            "MechanismError: invalidInformation",
            "`PushError.invalidParameterValue`; for an answer: `PushError.invalidPushType`",
            .needsDecision,
            decide:
                "The async API has two errors for this failure: decide which message the user sees for an invalid code, and which for an answer that does not fit its push."
        ),
        .init("MechanismError: alreadyExists", "`PushError.duplicateCredential`", .rename),
        .init(
            "MechanismError: failedToUpdateInformation; FRAError: failToSaveIntoStorageClient",
            "`PushStorageError.storageFailure`",
            .rename
        ),
        .init("AccountError: accountLocked", "`PushError.credentialLocked`", .rename),
        .init("AccountError: failToRegisterPolicyViolation", "`PushError.policyViolation`", .rename),
        .init(
            "AccountError: failToLockMissingPolicyName, failToLockInvalidPolicy, failToLockAccountAlreadyLocked, failToUnlockAccountNotLocked",
            "none",
            .needsDecision,
            decide:
                "The app saves a lock as a value, and the async API reports none of these failures: decide whether the app itself checks before it locks or unlocks."
        ),
        .init("PushNotificationError: missingDeviceToken", "`PushError.deviceTokenNotSet`", .rename),
        .init(
            "PushNotificationError: notificationInvalidStatus",
            "the result `false`",
            .needsDecision,
            decide:
                "For a push that was already answered, the call returns `false` and throws no error: decide which message the user sees."
        ),
        .init(
            "PushNotificationError: storageError",
            "`PushError.notificationNotFound`, `.credentialNotFound`; `PushStorageError.storageFailure`",
            .needsDecision,
            decide:
                "The async API has three errors for this failure: decide which message the user sees for a push or a credential that is no longer stored, and which for a store that failed."
        ),
        .init(
            "PushNotificationError: updateFailed",
            "`PushError.networkFailure` of the first server that failed",
            .needsDecision,
            decide:
                "The update throws the error of the first server that failed: decide whether the app retries before its next launch, at which `setDeviceToken` repeats the requests to unreachable servers."
        ),
        .init(
            "PushNotificationError: pushNumberChallengeError",
            note: "(provisional: the name of this error in release 4.10.0 of the SDK is not known)",
            "`PushError.pushNumberChallengeError`",
            .rename
        ),
        .init("CryptoError: invalidParam, failToConvertData", "`PushError.invalidParameterValue`", .rename),
        .init(
            "CryptoError: invalidJWT, unsupportedJWTType; NotificationError: invalidPayload",
            "`PushError.messageParsingFailed`",
            .rename
        ),
        .init(
            "FRAError: invalidStateForChangingStorage, invalidStateForChangingPolicyEvaluator, invalidPolicyRegisteredWithPolicyEvaluator",
            "none: a client is configured at initialisation",
            .needsDecision,
            decide:
                "A client is configured at initialisation, and cannot be configured too late: decide which code for this error stays; most of this code can be deleted."
        ),
        .init(
            "NetworkError: apiRequestFailure, invalidResponseDataType, invalidRequest",
            "`PushError.networkFailure`; for a refused registration: `PushError.registrationFailed`",
            .needsDecision,
            decide:
                "The async API has two errors for this failure: decide which message the user sees for a registration that the server refused, and which for any other failure."
        ),
        .init(
            "FRError, MechanismError, AccountError, PushNotificationError, CryptoError, NotificationError, FRAError, OathError, NetworkError, SecurityError: failToExtractPublicKey, buildErrorUserInfo, code, errorDomain, errorCode, errorUserInfo",
            "the case, and `localizedDescription`: there are no stable numbers",
            .needsDecision,
            decide:
                "Errors have no stable numbers (as `NSError`, the number depends on the order of the cases): decide what replaces the numbers and the domain that the app logs, sends or compares."
        ),
    ]

    static let sharedRows: [SymbolRow] = [
        .init(
            "RequestInterceptorRegistry: init, shared, registerInterceptors; RequestInterceptor: intercept",
            "stays, or `PushConfiguration.transport`",
            "receives the requests of both APIs",
            .stays
        ),
        .init(
            "RestClient: shared, setURLSessionConfiguration; FRURLSessionHandler, FRURLSessionSSLPinningHandler: init, urlSession; FRURLSessionHandlerProtocol: urlSession; FRSecurityConfiguration: init, validateSessionAuthChallenge, validateTaskAuthChallenge",
            "stays",
            "pinning for both APIs",
            .stays
        ),
        .init(
            "RestClient: invoke, invokeSync; Response: init, data, response, error, parseReponse; Result: success, failure; ResultCallback",
            "`URLSession`",
            "for your own requests",
            .needsDecision,
            decide:
                "The async API cannot send the app's own requests: decide whether the app keeps `FRCore`, or sends the requests in another way, such as with `URLSession`."
        ),
        .init(
            "Request: init, url, method, headers, bodyParams, urlParams, requestType, responseType, timeoutInterval, HTTPMethod, ContentType, GET, PUT, POST, DELETE, plainText, json, urlEncoded, updateHeader, build, description, customMirror",
            "stays, in interceptors",
            "the description of a request contains no query, headers or body",
            .stays
        ),
        .init("Action: init, type, payload", "stays, in interceptors", .stays),
        .init(
            "ActionType: PUSH_REGISTER, PUSH_AUTHENTICATE, PUSH_UPDATE, LOGOUT",
            "stays, in interceptors",
            .stays
        ),
        .init(
            "ActionType: START_AUTHENTICATE, AUTHENTICATE, AUTHORIZE, EXCHANGE_TOKEN, REFRESH_TOKEN, REVOKE_TOKEN, END_SESSION, USER_INFO, RESUME_AUTHENTICATE, DELETE_BINDING",
            "none",
            "never sent by these APIs",
            .needsDecision,
            decide:
                "No request of these APIs has this action: decide whether the code belongs to `FRAuth`, or can be deleted."
        ),
        .init(
            "FRJailbreakDetector: init, shared, detectors, analyze; JailbreakDetector, AptDetector, BashDetector, CydiaDetector, CydiaSubstrateDetector, DyldDetector, PrivateFileWritableDetector, RestrictedDirectoriesWritableDetector, SSHDetector, SandboxDetector, SandboxRestrictedFilesAccessable, SuspiciousFilesAccessibleDetector, SuspiciousFilesExistenceDetector, SuspiciousObjCClassesDetector, SymbolicLinkDetector, URLSchemeDetector: init, analyze",
            "stays",
            .stays
        ),
        .init(
            "KeychainService: init, options, debugDescription, set, getString, getBool, getData, setCertificate, getCertificate, getIdentities, setRSAKey, getRSAKey, allItems, delete, deleteAll, validateAccessGroup, getAppleTeamId; KeychainOptions: service, accessGroup, url, synchronizable, accessibility, matchLimit, init; KeychainAccessibility: alwaysThisDeviceOnly, afterFirstUnlock, afterFirstUnlockThisDeviceOnly, whenUnlocked, whenUnlockedThisDeviceOnly, whenPasscodeSetThisDeviceOnly, rawValue, description",
            "`Keychain`",
            "for your own items",
            .needsDecision,
            decide:
                "The app reads its own items: decide whether the app keeps `FRCore` or changes to `Keychain` with the same service and names."
        ),
        .init(
            "SecuredKey: init, isAvailable, encrypt, decrypt; SecKeyAlgorithm: eciesEncryptionCofactorVariableIVX963SHA256AESGCM",
            "`SealingKeyProvider`",
            "for your own values",
            .needsDecision,
            decide:
                "Only the key that sealed the app's own values can open these values: decide whether the app keeps `FRCore`, or seals the values again with a `SealingKeyProvider`."
        ),
        .init(
            "Data: bytesArray, sha256; Array: toHexString; String: bytes, sha256, isValidUrl, base64Encoded, base64URLSafeEncoded, base64Decoded, isBase64Encoded, decodeURL, decodeBase64, base64Pad, urlSafeDecoding, urlSafeEncoding, extractRecoveryCodes; StringProtocol: hexData, hexBytes; URL: isSame, valueOf",
            "Foundation",
            "helpers",
            .needsDecision,
            decide:
                "The new modules have no such helpers: decide whether Foundation, CryptoKit or code of the app replaces them, or the app keeps `FRCore`."
        ),
        .init(
            "Log, FRALog: sdkVersion, setLogLevel, setCustomLogger, v, i, w, e; FRHistory: queue, enableHistory, logHistory; FRLogger: logVerbose, logInfo, logNetwork, logWarning, logError",
            "`PushConfiguration.logger`",
            "a `PingLogger.Logger`; `SwiftLogLogger` forwards to swift-log",
            .stays
        ),
        .init(
            "LogLevel: init, rawValue, RawValue, hash, isEqual, formUnion, formIntersection, formSymmetricDifference, none, verbose, info, network, warning, error, all",
            "`LogManager.none`, `.warning`, `.standard`",
            "a logger instead of a level",
            .stays
        ),
    ]
}
