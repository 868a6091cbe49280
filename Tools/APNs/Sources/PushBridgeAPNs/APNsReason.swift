/// Why APNs refuses a push, by the names that Apple publishes.
package enum APNsReason: String, CaseIterable, Sendable {
    case badCollapseId = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageId = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case expiredToken = "ExpiredToken"
    case unregistered = "Unregistered"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"

    /// The status that comes with this reason.
    package var status: Int {
        switch self {
        case .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed:
            400
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden,
            .invalidProviderToken, .missingProviderToken:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }
}

/// What a provider does after a refusal.
package enum APNsAdvice: String, CaseIterable, Sendable {
    /// Forget the device token; no push to it will arrive.
    case forgetToken = "forget the device token"
    /// Sign a new provider token and send the push again.
    case renewProviderToken = "renew the provider token"
    /// Send with the provider token that was taken before; only after 20 minutes may it be another.
    case keepProviderToken = "do not renew the provider token for 20 minutes"
    /// Send less.
    case shrink = "send a smaller payload"
    /// Send the same push later.
    case waitAndTryAgain = "wait and try again"
    /// Correct the request; the same one will be refused again.
    case correctRequest = "correct the request"

    init(status: Int, reason: APNsReason?) {
        self =
            switch (reason, status) {
            case (.badDeviceToken, _), (.deviceTokenNotForTopic, _), (_, 410): .forgetToken
            case (.expiredProviderToken, _): .renewProviderToken
            case (.tooManyProviderTokenUpdates, _): .keepProviderToken
            case (_, 413): .shrink
            case (_, 429), (_, 500...): .waitAndTryAgain
            default: .correctRequest
            }
    }
}
