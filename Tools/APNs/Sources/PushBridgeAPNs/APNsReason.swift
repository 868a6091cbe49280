/// The reasons for which APNs rejects a push, by their names in the responses of APNs.
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
    // This reason and unrelatedKeyIdInToken are known from reports about other senders. Apple's table was not
    // available to verify them.
    case badEnvironmentKeyIdInToken = "BadEnvironmentKeyIdInToken"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyIdInToken = "UnrelatedKeyIdInToken"
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

    /// The HTTP status that belongs to this reason.
    package var status: Int {
        switch self {
        case .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed:
            400
        case .badCertificate, .badCertificateEnvironment, .badEnvironmentKeyIdInToken, .expiredProviderToken,
            .forbidden, .invalidProviderToken, .missingProviderToken, .unrelatedKeyIdInToken:
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

/// The action that a provider should take after a refusal.
package enum APNsAdvice: String, CaseIterable, Sendable {
    /// Forget the device token, unless the app registered it again after the refusal's timestamp.
    case forgetToken = "forget the device token"
    /// Keep the device token.
    ///
    /// The token may be valid, but belong to the other environment or to another app.
    case checkEnvironment = "check the environment, then the topic; keep the device token"
    /// Sign a new provider token and send the push again.
    case renewProviderToken = "renew the provider token"
    /// Send with the previous provider token.
    ///
    /// APNs accepts a new token only after 20 minutes.
    case keepProviderToken = "do not renew the provider token for 20 minutes"
    /// Send on a new connection.
    case reconnect = "open a new connection"
    /// Send a smaller payload.
    case shrink = "send a smaller payload"
    /// Send the same push later.
    case waitAndTryAgain = "wait and try again"
    /// Correct the key, certificate, topic or environment.
    ///
    /// Until they are corrected, APNs refuses the same request again.
    case correctSetup = "correct the set-up"
    /// Correct the request.
    ///
    /// APNs would refuse an unchanged request again.
    case correctRequest = "correct the request"

    init(status: Int, reason: APNsReason?) {
        self =
            switch (reason, status) {
            case (.badDeviceToken, _), (.deviceTokenNotForTopic, _): .checkEnvironment
            case (.unregistered, _), (.expiredToken, _): .forgetToken
            case (.expiredProviderToken, _): .renewProviderToken
            case (.tooManyProviderTokenUpdates, _): .keepProviderToken
            case (.idleTimeout, _), (.unrelatedKeyIdInToken, _): .reconnect
            case (_, 413): .shrink
            case (_, 429), (_, 500...): .waitAndTryAgain
            default: reason?.explanation.fault == .setup ? .correctSetup : .correctRequest
            }
    }
}
