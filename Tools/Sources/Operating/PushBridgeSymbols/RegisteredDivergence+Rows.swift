extension RegisteredDivergence {
    /// The divergences between the two APIs, which call sites encounter in step 3.
    static let betweenAPIs: [RegisteredDivergence] = [
        .init(
            "one-push-per-account",
            legacy:
                "An account has one push mechanism; another code for it, also one with another secret, is refused before anything is sent.",
            here:
                "A code is refused if issuer, account and secret are stored; another secret is another credential.",
            why: "The legacy store keys mechanisms by account; the new one keeps what the server registered.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "policies-of-a-code",
            legacy:
                "The policies of a `pushauth` code are evaluated when its account is read; only `mfauth` codes are refused.",
            here: "A code is refused with `PushError.policyViolation` if the device does not comply.",
            why: "Old call sites enrol and then see a locked account; new ones get the error at once.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "code-is-a-url",
            legacy: "A code is a `URL`, which the app makes; text that is not a URL never reaches the API.",
            here: "A code is text; text that is not a code throws `PushError.invalidUri`.",
            why: "The parameter's type is part of either API.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "account-outlives-mechanism",
            legacy: "An account stays when its last mechanism is removed, and keeps its date.",
            here: "An account is part of its credentials and is removed with the last one.",
            why: "Only the legacy model has accounts without mechanisms.",
            metBy: "FRAClient: removeMechanism"
        ),
        .init(
            "locks-are-checked",
            legacy:
                "Locking twice, unlocking what is not locked, locking by a policy that the account does not have and changing what is locked fail with `AccountError`.",
            here:
                "A credential is a value: any lock, and any name of a locked one, can be set and saved; what does not comply with its policies is saved locked, and the legacy API locks it when it is read.",
            why: "A contract of the legacy API.",
            metBy: "FRAClient: lockAccount, unlockAccount, updateAccount; Account: lock(policy:), unlock"
        ),
        .init(
            "client-can-be-closed",
            legacy: "`FRAClient.shared` stays until the app sets it to `nil`.",
            here: "`close()` ends the client; later calls throw `PushError.notInitialized`.",
            why: "Old call sites never close; new ones may.",
            metBy: "FRAClient: shared"
        ),
        .init(
            "explicit-update-tells-all",
            legacy:
                "`updateDeviceToken` sends the token to every server, also to one that has it or refused it lately.",
            here:
                "`setDeviceToken` sends the token to the servers that do not have it yet and did not refuse it lately.",
            why: "Old call sites ask for an update explicitly; new ones call at every launch.",
            metBy: "FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "update-without-mechanism",
            legacy:
                "`updateDeviceToken` without a push mechanism fails with `PushNotificationError.storageError`; the token is stored.",
            here: "`setDeviceToken` without a credential stores the token and returns `true`.",
            why: "A contract of the legacy API; for a new app it is not a failure.",
            metBy: "FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "empty-token",
            legacy: "An empty token is stored and sent like any other; the server refuses it.",
            here: "An empty token throws `PushError.invalidParameterValue`; nothing is stored or sent.",
            why: "The legacy API passes every value on; the new one refuses values that are always invalid.",
            metBy: "FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "token-can-be-forgotten",
            legacy: "`clearDeviceToken` forgets the token.",
            here: "`PushClient` has no such call; `PushStorage` has `clearPushDeviceTokens()`.",
            why:
                "The legacy API forgets the token whenever UIKit reports that it has none; `didFailToRegister(_:)` only where the app cannot have one.",
            metBy:
                "FRAPushHandler: clearDeviceToken, application(_:didFailToRegisterForRemoteNotificationsWithError:)"
        ),
        .init(
            "refused-push",
            legacy: "A push that is refused is `nil`; the log has the reason.",
            here:
                "A push that is refused throws `PushError.messageParsingFailed`; a push from another sender is `nil`.",
            why: "The app delegate's method cannot throw. Nothing is stored in either.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "old-pushes-are-removed",
            legacy: "Notifications stay until the app removes them.",
            here:
                "When a push arrives, the oldest ones of its credential beyond a hundred are removed; the configuration can set another rule.",
            why: "Old apps show histories; new ones configure how much they keep.",
            metBy:
                "FRAPushHandler: application(_:didReceiveRemoteNotification:); FRAClient: getAllNotifications; PushMechanism: notifications"
        ),
        .init(
            "deleted-push-is-answered",
            legacy: "An answer to a push that was deleted is checked, sent and stored as any other.",
            here: "An answer to a push that is not stored throws `PushError.notificationNotFound`.",
            why: "Old call sites hold the push itself, as the SDK does; new ones only its id.",
            metBy: "PushNotification: accept, deny"
        ),
        .init(
            "empty-number",
            legacy: "An empty challenge response is sent, and the server fails at it.",
            here: "An empty challenge response throws `PushError.invalidParameterValue`; nothing is sent.",
            why: "The legacy API sends every value; the new one refuses values that are always invalid.",
            metBy: "PushNotification: accept(challengeResponse:onSuccess:onError:)"
        ),
        .init(
            "number-not-shown",
            legacy: "An approval with a number that the push does not show is stored as approved.",
            here: "An approval with a number that the push does not show is stored as denied, and logged.",
            why:
                "Servers before AM 8.1.0 treat such a number as a denial and answer 200; AM 8.1.0 rejects it with 400. The legacy SDK stores what was sent.",
            metBy: "PushNotification: accept(challengeResponse:onSuccess:onError:)"
        ),
        .init(
            "answering-does-not-unlock",
            legacy:
                "An answer locks an account that does not comply, and never unlocks one; reading the account does.",
            here: "An answer evaluates the policies and locks or unlocks as they demand.",
            why:
                "The app itself may have locked a legacy account; that lock holds until the account is read.",
            metBy: "PushNotification: accept, deny"
        ),
        .init(
            "time-out",
            legacy: "A request may take 60 seconds.",
            here: "A request may take 15 seconds, or what the configuration says.",
            why: "Each API keeps the time-out that its apps were written for.",
            metBy:
                "FRAClient: createMechanismFromUri; PushNotification: accept, deny; FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "who-asks-for-the-face",
            legacy:
                "`accept(title:)` asks for the face, and calls back with 6000003 and the system's sentence if it is refused.",
            here: "The app asks for the face, and calls only if it is recognised.",
            why: "The new call takes how the user was recognised; the legacy one takes the prompt.",
            metBy: "PushNotification: accept(title:allowDeviceCredentials:onSuccess:onError:)"
        ),
        .init(
            "locked-device",
            legacy:
                "While the device is locked, lists are empty, a push or a token is `nil`, removals are `false`, and calls with an error fail with `storageError`.",
            here: "Every call that needs the store throws the storage's error with the code `locked`.",
            why: "The legacy calls cannot report it; new ones distinguish a locked store from an empty one.",
            metBy:
                "FRAClient: getAllAccounts, getAccount, getMechanism, getAllNotifications, getNotification, removeAccount, removeMechanism, removeNotification; FRAPushHandler: application(_:didReceiveRemoteNotification:), deviceToken"
        ),
    ]

    /// The divergences from the SDK, which call sites encounter in steps 1 and 2.
    static let fromSDK: [RegisteredDivergence] = [
        .init(
            "unknown-lock-stays",
            legacy:
                "An account that is locked by a policy that the evaluator does not know, or that is missing from its policies, is unlocked when it is next read.",
            here: "It stays locked until the app unlocks it (`unlockAccount`).",
            why: "Compliance with such a policy is not known.",
            metBy:
                "FRAClient: getAllAccounts, getAccount, setPolicyEvaluator; FRAPolicyEvaluator: registerPolicies"
        ),
        .init(
            "removal-is-complete",
            legacy: "`removeAccount` of an object that was decoded leaves its mechanisms behind.",
            here: "They go with the account, and their notifications too.",
            why: "A secret without an account would stay on the device for ever.",
            metBy: "FRAClient: removeAccount"
        ),
        .init(
            "unreadable-policies",
            legacy:
                "A code whose `policies` cannot be read, or are not a JSON object, enrols without any that apply.",
            here: "It is refused with `invalidInformation`.",
            why: "To ignore a policy weakens the account.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "numbers-are-numbers",
            legacy: "`digits`, `counter` and `period` that are not numbers take the default.",
            here: "The code is refused with `invalidInformation`.",
            why: "Wrong codes lock the user out, without an error that says why.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "deceptive-codes",
            legacy:
                "Labels with control or bidirectional characters, `..` or markup, and secrets of more than 1,024 characters, are accepted.",
            here:
                "They are refused with `invalidInformation`, or `CryptoError` for the secret of a push code.",
            why: "As the successor does: they pretend to be another account.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "md5-code",
            legacy: "A truncation offset beyond an MD5 digest reads past its end.",
            here: "`OathError.invalidSecret`; the next counter has a code.",
            why: "There is no right code for that counter.",
            metBy: "TOTPMechanism, HOTPMechanism: generateCode"
        ),
        .init(
            "name-with-colon",
            legacy: "The name of `Forgerock:demo:1` is `demo`.",
            here: "It is `demo:1`; a code of an account that the SDK called `demo` is recognised.",
            why: "Two users must not be one account.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "combined-is-one",
            legacy:
                "Of an `mfauth` code one half may be stored without the other, and then scanning it again always fails.",
            here: "Both halves are stored, or neither; scanning the code again works.",
            why: "Half a registration is of no use.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "redirect-is-failure",
            legacy: "300 to 302 are success to a registration, an answer or a token.",
            here: "Only 200 to 299 are.",
            why: "The redirect is not followed, so the server does not have the answer.",
            metBy:
                "FRAClient: createMechanismFromUri; PushNotification: accept, deny; FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "forged-repetition",
            legacy: "A known message id with a wrong signature returns the stored push.",
            here: "`nil`.",
            why: "Only the server may make the app show a push.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "cookie-and-denial",
            legacy:
                "The load balancer is sent as `Set-Cookie`; denying a challenge sends `challengeResponse: null`.",
            here: "It is sent as `Cookie`; a denial has no response.",
            why: "The load balancer and some servers need it so.",
            metBy: "PushNotification: accept, deny"
        ),
        .init(
            "gone-stays-gone",
            legacy:
                "`lockAccount` and `unlockAccount` store the account, and an HOTP code its mechanism, also one that was removed.",
            here:
                "An account that is not stored is `FRAError.failToSaveIntoStorageClient`. "
                + "A code of a removed mechanism is `MechanismError.failedToUpdateInformation`, except in an app's own `StorageClient`.",
            why: "A removed account must not return without its mechanisms.",
            metBy: "FRAClient: lockAccount, unlockAccount"
        ),
        .init(
            "token-of-own-storage",
            legacy: "An app's own `StorageClient` gets a new device token when it arrives.",
            here:
                "The storage gets the new token when every server has accepted it. `FRAPushHandler.deviceToken` returns it at once.",
            why:
                "The storage cannot remember which servers failed. While it holds the old token, the token is sent to those servers again after a restart.",
            metBy: "FRAClient: setStorage; StorageClient: setPushDeviceToken"
        ),
        .init(
            "handlers-are-not-sendable",
            legacy: "`FRURLSessionHandlerProtocol` refines `URLSessionTaskDelegate`.",
            here:
                "It has the same methods and refines `NSObjectProtocol`; no other method of the delegate is called.",
            why:
                "Foundation's protocol is `Sendable`, so that handlers with state cause warnings, and errors in Swift 6.",
            metBy: "FRURLSessionHandler, FRURLSessionHandlerProtocol, FRURLSessionSSLPinningHandler",
            only: .conformance
        ),
        .init(
            "objects-are-sendable",
            legacy:
                "Accounts, mechanisms, notifications and the client are not `Sendable`; apps in Swift 6 make them so.",
            here: "They are. An app's own conformance is a warning: remove it.",
            why: "They are safe to use from any thread.",
            metBy:
                "Account, Mechanism, OathMechanism, PushMechanism, TOTPMechanism, HOTPMechanism, PushNotification, FRAClient",
            only: .`extension`
        ),
        .init(
            "refused-enrolment",
            legacy:
                "An enrolment that a `StorageClient` refuses after the server accepted it is an error (8000001).",
            here:
                "It succeeds and waits in the keychain, and is the error only if it cannot wait there. The next process stores it in the storage of the same class that has one of the earlier push credentials, or that still has none. Two storages of a class without credentials look the same: use a different class for each.",
            why: "The server would have a device that no account answers for.",
            metBy: "StorageClient: setMechanism, setAccount"
        ),
        .init(
            "storages-get-copies",
            legacy:
                "A `StorageClient` that keeps objects in memory sees the object that the app answers change.",
            here: "It gets a copy with each change, and has to replace its object by it.",
            why: "An object changes only after the storage accepted the change.",
            metBy: "StorageClient: setNotification, setMechanism, setAccount"
        ),
        .init(
            "no-calls-from-inside",
            legacy: "A `StorageClient` may call `FRAClient` from its methods.",
            here: "Such a call fails, and the log tells why.",
            why: "Such calls could recurse without end, and would see half a change.",
            metBy: "StorageClient",
            only: .conformance
        ),
        .init(
            "body-is-not-read",
            legacy: "A request to the push service has failed if the body of its answer is not JSON.",
            here: "The status decides.",
            why: "The server did what it was asked.",
            metBy:
                "FRAClient: createMechanismFromUri; PushNotification: accept, deny; FRAPushHandler: updateDeviceToken"
        ),
        .init(
            "no-cookie-jar",
            legacy: "Requests use the cookies and the cache of the app's `URLSessionConfiguration`.",
            here: "Both are off, and so are stored credentials.",
            why: "A stored cookie would override the load balancer's.",
            metBy: "RestClient: setURLSessionConfiguration"
        ),
        .init(
            "time-out-is-bounded",
            legacy: "An interceptor sets any time-out.",
            here: "That of a push request is at most doubled.",
            why: "No second answer may be sent while the first is on its way.",
            metBy: "Request: init, timeoutInterval; RequestInterceptor: intercept"
        ),
        .init(
            "open-before-unlock",
            legacy: "`alwaysThisDeviceOnly` stores items that are open before the first unlock.",
            here: "It stores them as `afterFirstUnlockThisDeviceOnly`.",
            why: "Apple deprecated them.",
            metBy: "KeychainAccessibility: alwaysThisDeviceOnly"
        ),
        .init(
            "null-is-absent",
            legacy: "An object without a load balancer cannot be decoded from its own JSON.",
            here: "It can.",
            why: "A decoder must read what its encoder wrote.",
            metBy:
                "Account, Mechanism, OathMechanism, PushMechanism, TOTPMechanism, HOTPMechanism, PushNotification: init(from:)"
        ),
        .init(
            "unusual-codes",
            legacy:
                "Not compared: codes without a label, with policies as plain JSON, with other spellings of the secret, with scheme or type in capitals.",
            here: "They enrol; an account without a name is `Untitled`.",
            why: "It was not written down what the SDK does.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "unreadable-parameters",
            legacy:
                "An empty `issuer`, an `image` that is not an address, and `uid`, `oid`, `pid`, `c` and `l` of another form enrol an account with other values.",
            here:
                "Such a parameter is left out, and a code with such a challenge is refused. A port or a user in an address is used as given.",
            why: "A value that cannot be read has no meaning to the server.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "another-code-keeps",
            legacy:
                "Another code of an account replaces its names, policies, image and colour, also by nothing.",
            here: "Values that the new code does not contain stay.",
            why: "A policy must not end with a code that does not mention it.",
            metBy: "FRAClient: createMechanismFromUri"
        ),
        .init(
            "bare-push",
            legacy:
                "Not compared: pushes without `l` or `t`. A claim with a value of another type or form (a time to live of `120.5`, `-1` or `1e3`, a type in capitals) gives other values, or no push.",
            here:
                "They are pushes, with a time to live of 120 seconds. Such a claim is left out, except for the challenge: without it there is no push. The type is read in any spelling.",
            why: "The claims are signed by the server, and the user can still answer.",
            metBy: "FRAPushHandler: application(_:didReceiveRemoteNotification:)"
        ),
        .init(
            "json-of-other-types",
            legacy:
                "Not compared: JSON whose members have another type, an unknown `type`, `pushType` or `algorithm`, or a lock without a policy.",
            here:
                "JSON with a member of another type, or an unknown `type`, is not decoded. An unknown `pushType` is `default`, a mechanism with an unknown `algorithm` makes no code, and a lock needs no policy.",
            why: "A value that cannot be read is not a default: a wrong code or an open lock would follow.",
            metBy:
                "Account, Mechanism, OathMechanism, PushMechanism, TOTPMechanism, HOTPMechanism, PushNotification: init(from:)"
        ),
        .init(
            "refused-number",
            legacy: "HTTP 400 to the number of a challenge is `NetworkError.apiRequestFailure`.",
            here:
                "It is `PushNotificationError.pushNumberChallengeError` until the push expires; other statuses, and 400 to other answers, are as in the SDK.",
            why:
                "AM 8.1.0 refuses a wrong number so; servers before it accept each number. A 400 has the same text for each cause, and the push is still pending in either case.",
            metBy: "PushNotification: accept(challengeResponse:onSuccess:onError:)"
        ),
        .init(
            "locked-without-account",
            legacy: "A mechanism whose account cannot be read has no policies and is not locked.",
            here:
                "It is locked under the policy `unreadableAccountRecord` until the app unlocks it or its account can be read; so is each account that a migration adds such a mechanism to.",
            why: "The account may have been locked.",
            metBy: "FRAClient: getAllAccounts"
        ),
        .init(
            "request-spelling",
            legacy:
                "Of `Request.build()`: `urlParams` replace the query, the SDK's `x-requested-*` headers replace the app's, `DELETE` and plain text have no body, forms are not escaped.",
            here:
                "`urlParams` are added to the query, the app's headers win, both have their body, and forms are escaped (RFC 3986); parameters are in alphabetical order, an empty JSON body is `{}`.",
            why: "A request is sent as the app's interceptor wrote it.",
            metBy: "Request: build"
        ),
        .init(
            "refused-authentication",
            legacy: "Not compared: the underlying error of a refused local authentication.",
            here:
                "The error is `MechanismError.invalidInformation` (6000003) with the system's sentence, without an underlying error.",
            why: "The case holds only a text; an error of another type would not match the app's `catch`.",
            metBy: "PushNotification: accept(title:allowDeviceCredentials:onSuccess:onError:)"
        ),
    ]
}
