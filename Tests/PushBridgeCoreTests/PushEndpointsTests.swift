import Foundation
import PushBridgeCore
import Testing

@Suite struct PushEndpointsTests {
    @Test(arguments: [
        "https://am.example.com:8443/openam/json/push/sns/message?_action=register",
        "https://am.example.com", "HTTP://a/", "https://a?b=c", "https://a#b", "https://a/%20?x=%3D",
        "https://10.0.0.1:1/", "https://[::1]:8443/am", "https://user@host/", "https://a:65535/~b/c-d_e.f",
        "https://a:123456/", "x-app+1.0://host/path", "https://a/b(c)*d;e,f!g$h'i@j:k", "https://a//b",
        "https://-/",
        "https://xn--bcher-kva.example/", "https://a/?b?c/d", "https://a:/", "https://…/", "https://a/é",
        "", "am.example.com/path", "/path", "https:", "https:/", "https://", "https:///path", "https://?a",
        "https://:80/", "://host/", "1http://host/", "mailto:someone@example.com", "https://a b/",
        "https://a\u{0}/", "https://a/\n", "ht_tp://a/", "https://a:x/", "https://a\\b/", "https://a/[b]",
        "https://a/%zz",
    ])
    func onlyAbsoluteURLsWithAHostAreAccepted(_ text: String) {
        let url = URL(string: text)
        let isAbsolute = url?.scheme != nil && url?.host?.isEmpty == false
        let expected = isAbsolute ? text : nil
        let good = "https://am.example.com/"

        let first = PushEndpoints(registration: text, authentication: good)
        let second = PushEndpoints(registration: good, authentication: text)
        #expect(first?.registration == expected)
        #expect(second?.authentication == expected)
    }
}
