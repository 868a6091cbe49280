import Foundation
import UIKit
import UserNotifications

// Declarations of the symbols that a third-party chat SDK's document uses, so that the document's code compiles.

let log = ChatLog()
let token = Token(stringLiteral: "token")

struct ChatLog {
    func warning(_ text: String) {}
    func error(_ text: String) {}
}

struct Token {
    init(stringLiteral: String) {}
}

struct ChannelId {}

struct UserInfo {
    init(id: String, name: String? = nil, imageURL: URL? = nil) {}
}

struct ChatClientConfig {
    struct APIKey {
        init(_ key: String) {}
    }

    init(apiKey: APIKey) {}
}

enum PushDevice {
    case apn(token: Data, providerName: String? = nil)
}

struct ChatUser {
    struct Device {
        let id: String
    }

    var name: String?
    var imageURL: URL?
    var devices: [Device] = []
}

struct ChatMessage {
    struct Attachment {
        let imageURL: URL
    }

    struct Channel {
        let name: String?
    }

    let author: ChatUser
    let text: String
    let imageAttachments: [Attachment]
}

struct ChatMessageNotification {
    let message: ChatMessage
    let channel: ChatMessage.Channel?
    // The document was written for an earlier version of the SDK, in which this type had the properties of the
    // message.
    var author: ChatUser { message.author }
    var text: String { message.text }
}

enum ChatNotification {
    case message(ChatMessageNotification)
    case unknown
}

final class ChatUserController {
    let currentUser: ChatUser? = nil

    func addDevice(_ device: PushDevice, completion: @escaping (Error?) -> Void) { completion(nil) }
    func removeDevice(id: String, completion: @escaping (Error?) -> Void) { completion(nil) }
}

final class ChatClient {
    nonisolated(unsafe) static var shared = ChatClient(config: ChatClientConfig(apiKey: .init("key")))

    let currentUserId: String? = nil

    init(config: ChatClientConfig) {}

    func setToken(token: Token) {}
    func setToken(token: String) {}
    func connectUser(userInfo: UserInfo, token: Token, completion: @escaping (Error?) -> Void) {}
    func currentUserController() -> ChatUserController { ChatUserController() }
    func channelController(for id: ChannelId) -> String { "" }
}

@preconcurrency @MainActor final class ChatMessageListVC: UIViewController {
    var channelController = ""
}

struct ChatPushNotificationInfo {
    let cid: ChannelId? = nil

    init(content: UNNotificationContent) throws {}
}

final class ChatRemoteNotificationHandler {
    init(client: ChatClient, content: UNNotificationContent) {}

    func handleNotification(completion: @escaping (ChatNotification) -> Void) -> Bool { false }
}
