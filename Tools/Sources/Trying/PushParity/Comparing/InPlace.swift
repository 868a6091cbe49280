import PushBridgeCore

// The differences in this file exist only if the legacy API works in place.

extension Divergence {
    /// The intended differences that exist if the legacy API works in place and the async API uses a separate
    /// store.
    public static let inPlace = [
        Divergence(
            id: "one-key-one-account",
            legacy:
                "If another account has the same legacy key, the enrolment is refused before a request is sent.",
            async: "The store contains both accounts with the same legacy key.",
            reason: "The SDK stores one account under each key, so the first account would be lost."
        ) { it in
            let isRefused =
                it.step.verb == .enrol && it.results?.legacy.error == "FRAError.failToSaveIntoStorageClient"
            // Later steps that rename, answer or list the missing record also cause differences.
            return isRefused || it.standing.contains("one-key-one-account")
        },
        Divergence(
            id: "no-date-of-the-answer",
            legacy: "The time of an answer is not stored.",
            async: "The time of an answer is stored.",
            reason:
                "The legacy SDK's archives have no field for the time of an answer, and a migration does not need it."
        ) { it in
            it.isAt("store.notifications.*.respondedAt") && it.legacyValue == nil
        },
        Divergence(
            id: "nothing-is-migrated",
            legacy:
                "The accounts of the previous release stay unchanged, and their servers already have the device token of that release.",
            async:
                "These accounts are migrated into a separate store. If that store has another device token, the servers of the migrated credentials have not received it yet.",
            reason: "The legacy SDK stores one device token for all accounts."
        ) { it in
            let isOfEarlierRelease = it.difference.path.contains { $0.contains("legacy-") }
            if it.isAt("store.deviceToken.owed.*") { return isOfEarlierRelease && it.legacyValue == nil }
            // The next step that sets a device token sends it to the servers of the migrated credentials.
            return it.step.verb == .token && it.standing.contains("nothing-is-migrated")
                && (isOfEarlierRelease || it.isWithin("timeouts"))
        },
        Divergence(
            id: "one-date-of-a-push",
            legacy:
                "For a push, only one date is stored: when the server sent it or, if the server did not state this, when it arrived.",
            async: "The date on which a push arrived is also stored.",
            reason: "The legacy SDK's archives contain one date for each push."
        ) { it in
            it.isAt("store.notifications.*.createdAt")
        },
    ]
}

extension Equivalence {
    /// The equivalences that occur only in place, because the legacy SDK's items store some values in another form.
    public static let inPlace = [
        Divergence(
            id: "legacy-keys",
            legacy:
                "A push is stored under its legacy key, with its time to live and its type in the form of the legacy SDK's archives.",
            async: "A push is stored under its own id."
        ) { it in
            it.isAt("store.notifications.*.id", "store.notifications.*.legacyTimeToLive")
                || it.isAt("store.notifications.*.legacyPushType")
        },
        Divergence(
            id: "legacy-form-of-codes",
            legacy:
                "A one-time-password credential contains the members that only the legacy SDK's archives have. A push credential contains the version of its archive.",
            async: "Only a migrated credential contains these members, or the version of its legacy archive."
        ) { it in
            it.isAt("store.oath.*.legacy", "store.oath.*.legacy.*", "store.push.*.legacy.version")
        },
    ]
}
