//! Clients that mean harm: messages that are too long or in many pieces, frames that are not valid,
//! floods, and clients that do not read.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::{Client, dropped, with_sockets};

/// The limit of the messages of the test server.
const LIMIT: usize = 4096;

/// Returns a request whose message has so many bytes.
fn request_of(bytes: usize) -> String {
    let (begin, end) = (r#"{"type":"response.create","input":""#, r#""}"#);
    [begin, &"x".repeat(bytes - begin.len() - end.len()), end].concat()
}

#[tokio::test]
async fn a_message_of_the_limit_is_read_and_a_longer_one_closes_the_socket() {
    with_sockets(async |url| {
        let mut client = Client::open(&url).await;
        client.send(request_of(LIMIT)).await;
        assert_eq!(client.end().await["type"], "response.completed");
        client.send(request_of(LIMIT + 1)).await;
        assert_eq!(client.closed().await, 1009);
        // Much of the message is not written when the server closes.
        let mut client = Client::open(&url).await;
        client.0.feed(Message::from(request_of(32 << 20))).await.unwrap();
        let (mut sender, mut receiver) = client.0.split();
        let (code, _) = tokio::join!(
            async {
                match receiver.next().await.unwrap().unwrap() {
                    Message::Close(Some(frame)) => u16::from(frame.code),
                    other => panic!("{other:?}"),
                }
            },
            sender.flush()
        );
        assert_eq!(code, 1009);
    })
    .await;
}

/// Returns a frame of a text in pieces.
fn piece(text: &str, code: Data, is_last: bool) -> Message {
    Message::Frame(Frame::message(text.to_owned(), OpCode::Data(code), is_last))
}

#[tokio::test]
async fn a_message_in_pieces_is_one_and_has_the_limit_of_one() {
    with_sockets(async |url| {
        let mut client = Client::open(&url).await;
        let request = r#"{"type":"response.create","input":"in pieces"}"#;
        for (at, byte) in request.char_indices() {
            let code = if at == 0 { Data::Text } else { Data::Continue };
            let byte = String::from(byte);
            client.send(piece(&byte, code, at + 1 == request.len())).await;
            client.send(Message::Ping("p".into())).await;
        }
        assert_eq!(client.text().await, "You said: in pieces");
        client.send(piece("x", Data::Text, false)).await;
        for _ in 0..LIMIT / 1000 + 1 {
            client.0.feed(piece(&"x".repeat(1000), Data::Continue, false)).await.unwrap();
        }
        client.0.flush().await.unwrap();
        assert_eq!(client.closed().await, 1009);
    })
    .await;
}

#[tokio::test]
async fn frames_that_are_not_texts_close_the_socket() {
    with_sockets(async |url| {
        let invalid = Frame::message(vec![0xff], OpCode::Data(Data::Text), true);
        for (message, code) in [
            (Message::binary(&b"{}"[..]), 1003),
            (Message::Frame(invalid), 1007),
            (piece("x", Data::Continue, true), 1002),
            (Message::Close(None), 0),
        ] {
            let mut client = Client::open(&url).await;
            client.send(message).await;
            assert_eq!(client.closed().await, code);
        }
    })
    .await;
}

#[tokio::test]
async fn a_flood_of_pings_and_ten_thousand_requests_are_answered() {
    with_sockets(async |url| {
        let mut client = Client::open(&url).await;
        for _ in 0..10_000 {
            client.0.feed(Message::Ping("ping".into())).await.unwrap();
        }
        assert_eq!(client.ask("after").await, "You said: after");
        for number in 0..10_000 {
            let text = number.to_string();
            assert_eq!(client.ask(&text).await, ["You said: ", &text].concat());
        }
    })
    .await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_closed_with_1013() {
    with_sockets(async |url| {
        let mut watching = Client::open(&url).await;
        let mut client = Client::open(&url).await;
        client.create(json!({ "input": "endless" })).await;
        dropped(&mut watching, 1).await;
        // It reads again: the events that it has not read, and the reason.
        assert_eq!(client.closed().await, 1013);
    })
    .await;
}

#[tokio::test]
async fn a_client_that_stops_within_a_frame_holds_no_other() {
    with_sockets(async |url| {
        let mut client = Client::open(&url).await;
        let connection = client.0.get_mut();
        // The head of a text of 4,000 bytes, of which none follows.
        connection.write_all(&[0x81, 0xfe, 0x0f, 0xa0, 0, 0, 0, 0]).await.unwrap();
        assert_eq!(Client::open(&url).await.ask("hi").await, "You said: hi");
        connection.shutdown().await.unwrap();
        let mut rest = Vec::new();
        assert_eq!(connection.read_to_end(&mut rest).await.unwrap(), rest.len());
    })
    .await;
}
