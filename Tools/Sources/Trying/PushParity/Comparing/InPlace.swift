import PushBridgeCore

// These differences exist only if the legacy API works on the legacy SDK's items.

extension Divergence {
    /// The intended differences that exist if the legacy API works in place and the async API uses a separate
    /// store.
    public static let inPlace = [
        Divergence(
            id: "one-key-one-account",
            legacy: "An account whose legacy key another one has is refused before a server is asked.",
            async: "Both are kept.",
            reason: "The SDK keeps one account under a key, so it would lose the first."
        ) { it in
            let isRefused =
                it.step.verb == .enrol && it.told?.legacy.error == "FRAError.failToSaveIntoStorageClient"
            // Later steps do not rename, answer or list the missing record.
            return isRefused || it.standing.contains("one-key-one-account")
        },
        Divergence(
            id: "no-date-of-the-answer",
            legacy: "The time of an answer is not stored.",
            async: "The time of an answer is stored.",
            reason: "Archives have no field for this time, and a migration does not need it."
        ) { it in
            it.isAt("store.notifications.*.respondedAt") && it.legacyValue == nil
        },
        Divergence(
            id: "nothing-is-migrated",
            legacy: "The accounts of the earlier release are unchanged, and their servers have its token.",
            async: "The server of a migrated credential still needs the token if the store has another one.",
            reason: "The SDK keeps one token for all."
        ) { it in
            let isOfEarlierRelease = it.difference.path.contains { $0.contains("legacy-") }
            if it.isAt("store.deviceToken.owed.*") { return isOfEarlierRelease && it.legacyValue == nil }
            // The server of a migrated credential receives the next token.
            return it.step.verb == .token && it.standing.contains("nothing-is-migrated")
                && (isOfEarlierRelease || it.isWithin("timeouts"))
        },
        Divergence(
            id: "one-date-of-a-push",
            legacy: "Of the dates of a push, only the date of sending is stored.",
            async: "The date of arrival is stored too.",
            reason: "Archives have one date."
        ) { it in
            it.isAt("store.notifications.*.createdAt")
        },
    ]
}

extension Equivalence {
    /// The different forms of values in the legacy SDK's items.
    public static let inPlace = [
        Divergence(
            id: "legacy-keys",
            legacy:
                "A push is kept under its legacy key, with its time to live and type as archives have them.",
            async: "It has its own id."
        ) { it in
            it.isAt("store.notifications.*.id", "store.notifications.*.legacyTimeToLive")
                || it.isAt("store.notifications.*.legacyPushType")
        },
        Divergence(
            id: "legacy-form-of-codes",
            legacy:
                "A one-time password has the legacy members that archives have. A push credential has the version of the archives.",
            async: "It has none unless it was migrated."
        ) { it in
            it.isAt("store.oath.*.legacy", "store.oath.*.legacy.*", "store.push.*.legacy.version")
        },
    ]
}
