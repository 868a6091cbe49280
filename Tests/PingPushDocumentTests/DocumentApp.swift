import Foundation
import PingPush
import PushBridgePlatform
import PushBridgeTestSupport

#if canImport(UIKit)
import UIKit
import UserNotifications
#endif

enum AppError: Error {
    case pushError(String)
}

/// An app that consists of the snippets in the successor SDK's guide ("the document"), one method for each snippet.
///
/// If a snippet compiles only with a change, a comment marks the snippet and names the change. The storage and the
/// time-out are additions. Without the storage, all tests would share the app's default storage.
final class DocumentApp: Sendable {
    let pushClient: PushClient
    private let shown = Lock<[String]>([])
    /// The number of pushes that the delegate's tasks have processed.
    let processed = Lock(0)

    init(_ pushClient: PushClient) {
        self.pushClient = pushClient
    }

    /// The texts that were shown to the user, in order.
    var screen: [String] { shown.withValue { $0 } }

    private func show(_ what: String) { shown.withValue { $0.append(what) } }

    // MARK: Initialising

    static func createClient(storage: any PushStorage) async throws -> PushClient {
        // Create a Push client
        let pushClient = try await PushClient.createClient { config in
            config.storage = storage
            config.timeout = 600  // A busy machine may let requests wait.
            config.logger = LogManager.logger
            config.enableCredentialCache = false
        }
        return pushClient
    }

    // MARK: Credentials

    func createCredential() async throws -> PushCredential {
        let uri = "pushauth://push/issuer:user@example.com?key=ABCDEFGHIJK&c=https://example.com/push"

        let credential = try await pushClient.addCredentialFromUri(uri)
        return credential
    }

    func loadCredentials() async throws -> [PushCredential] {
        let pushClient = pushClient
        do {
            let credentials = try await Task.detached(priority: .userInitiated) {
                try await pushClient.getCredentials()
            }.value
            return credentials
        } catch {
            throw AppError.pushError("Failed to load credentials: \(error.localizedDescription)")
        }
    }

    func loadCredential(_ credentialId: String) async throws -> PushCredential? {
        let pushClient = pushClient
        let credential = try await Task.detached(priority: .userInitiated) {
            try await pushClient.getCredential(credentialId)
        }.value
        return credential
    }

    func rename(_ credentials: [PushCredential]) async throws {
        for credential in credentials {
            var updated = credential
            updated.displayIssuer = "Example.com Checking Account"
            updated.displayAccountName = "Babs Jensen"
            _ = try await pushClient.saveCredential(updated)
        }
    }

    func delete(_ credentialId: String) async throws -> Bool {
        let pushClient = pushClient
        do {
            let removed = try await Task.detached(priority: .userInitiated) {
                try await pushClient.deleteCredential(credentialId)
            }.value
            return removed
        } catch {
            throw AppError.pushError("Failed to remove credential: \(error.localizedDescription)")
        }
    }

    // MARK: Device tokens

    // Update the device token when it changes
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        pushClient.setDeviceToken(deviceToken)
    }

    func updateToken(_ deviceToken: Data, of credentialId: String) {
        // Update the device token for a specific credential
        pushClient.setDeviceToken(deviceToken, credentialId: credentialId)
    }

    // MARK: Receiving

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let userInfo = response.notification.request.content.userInfo

        // Process the notification through PushClient
        nonisolated(unsafe) let userInfoCopy = userInfo
        Task {
            defer { processed.withValue { $0 += 1 } }
            do {
                // Process the notification - PushClient automatically extracts APNs payload
                if let notification = try await pushClient.processNotification(userInfo: userInfoCopy) {

                    // Show notification to user based on type.
                    // Changed: the document unwraps `notification` a second time.
                    switch notification.pushType {
                    case .default:
                        showDefaultNotification(notification)
                    case .challenge:
                        showChallengeNotification(notification)
                    case .biometric:
                        showBiometricPrompt(notification)
                    }
                } else {
                    show("Notification was not processed (may be unsupported type)")
                }
            } catch { show("Failed to process push notification: \(error.localizedDescription)") }
        }
        completionHandler()
    }

    private func showDefaultNotification(_ notification: PushNotification) {
        show("default \(notification.messageText ?? "")")
    }

    private func showChallengeNotification(_ notification: PushNotification) {
        show("challenge \(notification.getNumbersChallenge())")
    }

    private func showBiometricPrompt(_ notification: PushNotification) {
        show("biometric \(notification.messageText ?? "")")
    }

    // MARK: Answering

    func approve(_ notificationId: String) async throws {
        // To approve
        try await pushClient.approveNotification(notificationId)
    }

    func deny(_ notificationId: String) async throws {
        // To deny
        try await pushClient.denyNotification(notificationId)
    }

    func approveChallenge(_ notificationId: String, userSelectedResponse: String) async throws {
        // The user sees matching numbers on both login screen and mobile device.
        // They enter or select the challenge response.
        let challengeResponse = userSelectedResponse  // e.g., "80"

        try await pushClient.approveChallengeNotification(
            notificationId,
            challengeResponse: challengeResponse
        )
    }

    func approveBiometric(_ notificationId: String) async throws {
        // After successful biometric authentication
        let authMethod = "fingerprint"  // or "face", "iris", etc.

        try await pushClient.approveBiometricNotification(notificationId, authenticationMethod: authMethod)
    }

    // MARK: Stored notifications

    func showPending() async throws {
        // Get all pending notifications
        let notifications = try await pushClient.getPendingNotifications()
        if !notifications.isEmpty {
            // Display pending notifications to the user
            displayPendingNotifications(notifications)
        } else {
            // No pending notifications
            showEmptyState()
        }
    }

    private func displayPendingNotifications(_ notifications: [PushNotification]) {
        show("pending \(notifications.count)")
    }

    private func showEmptyState() { show("pending none") }

    func showOne(_ notificationId: String) async throws {
        // Get a specific notification by ID
        let notification = try await pushClient.getNotification(notificationId)
        if let notification = notification {
            // Display the notification details
            showNotificationDetails(notification)
        } else {
            // Notification not found
            showNotFoundMessage()
        }
    }

    private func showNotificationDetails(_ notification: PushNotification) {
        show("details \(notification.messageText ?? "")")
    }

    private func showNotFoundMessage() { show("not found") }

    static func createClientThatCleansUp(storage: any PushStorage) async throws -> PushClient {
        // Create a client with custom notification cleanup configuration
        let pushClient = try await PushClient.createClient { config in
            config.storage = storage
            // Configure notification cleanup
            config.notificationCleanupConfig = NotificationCleanupConfig(
                // Choose a cleanup mode: .none, .countBased, .ageBased, or .hybrid
                cleanupMode: .hybrid,
                // Maximum notifications to keep when using .countBased or .hybrid mode
                maxStoredNotifications: 50,
                // Maximum age in days for notifications when using .ageBased or .hybrid mode
                maxNotificationAgeDays: 14
            )
        }
        return pushClient
    }

    func cleanUp(_ credentialId: String) async throws {
        // Clean up notifications for all credentials
        let count = try await pushClient.cleanupNotifications()
        show("Removed \(count) old notifications")

        // Clean up notifications for a specific credential
        let countForCredential = try await pushClient.cleanupNotifications(credentialId: credentialId)
        show("Removed \(countForCredential) old notifications for credential \(credentialId)")
    }

    // MARK: Closing and errors

    func close() async {
        // Close the Push client and clean up.
        // Changed: the document writes `try`, for which the compiler only prints a warning.
        await pushClient.close()
    }

    func explain(_ uri: String) async throws {
        do {
            let credential = try await pushClient.addCredentialFromUri(uri)
            show(credential.accountName)
        } catch let error as PushError {
            switch error {
            case .invalidUri(let message):
                show("Invalid URI: \(message)")
            case .credentialNotFound(let id):
                show("Credential not found: \(id)")
            case .credentialLocked(let id):
                show("Credential is locked: \(id)")
            case .initializationFailed(let message, let underlying):
                show("Client initialization failed: \(message) \(String(describing: underlying))")
            // Added: the document's switch names only four of the cases.
            default:
                show("Other: \(error.localizedDescription)")
            }
        } catch let error as PushStorageError {
            switch error {
            case .storageFailure(let message, let underlying):
                show("Storage error: \(message) \(String(describing: underlying))")
            // Added, as above.
            default:
                show("Storage: \(error.localizedDescription)")
            }
        }
    }
}
